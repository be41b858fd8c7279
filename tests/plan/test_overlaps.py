from paicli.plan.overlaps import TouchedFiles, overlapping_files, overwritten_by_commands


def files(read: str = "", written: str = "", *, command: bool = False) -> TouchedFiles:
    return TouchedFiles(frozenset(read.split()), frozenset(written.split()), command)


def test_two_writers_and_a_reader_with_a_writer_overlap_and_two_readers_do_not() -> None:  # C60
    touched = {
        "task_1": files(read="a b", written="c"),
        "task_2": files(read="a", written="b c"),
        "task_3": files(read="a c"),
    }
    assert overlapping_files(touched) == [
        ("b", "task_1", "task_2"),
        ("c", "task_1", "task_2"),
        ("c", "task_1", "task_3"),
        ("c", "task_2", "task_3"),
    ]


def test_a_file_that_holds_what_no_task_knows_was_changed_by_a_command() -> None:
    touched = {"task_1": files(read="f g"), "task_2": files(command=True), "task_3": files(read="g")}
    known = {"task_1": {"f": "old", "g": "same"}, "task_2": {}, "task_3": {"g": "same"}}
    now = {"f": "new", "g": "same"}
    assert overwritten_by_commands(touched, known, now.get) == [("f", "task_1", "task_2")]


def test_a_file_that_a_command_deleted_counts_as_changed() -> None:
    touched = {"task_1": files(command=True), "task_2": files(read="f")}
    assert overwritten_by_commands(touched, {"task_2": {"f": "old"}}, {}.get) == [("f", "task_1", "task_2")]


def test_a_change_that_a_tool_made_is_no_command_s() -> None:
    touched = {"task_1": files(read="f", command=True), "task_2": files(written="f")}
    known = {"task_1": {"f": "old"}, "task_2": {"f": "new"}}
    assert overwritten_by_commands(touched, known, {"f": "new"}.get) == []


def test_without_a_command_nothing_is_looked_at() -> None:
    asked: list[str] = []
    touched = {"task_1": files(read="f"), "task_2": files(read="f")}
    known = {"task_1": {"f": "old"}, "task_2": {"f": "old"}}
    assert overwritten_by_commands(touched, known, asked.append) == []
    assert asked == []


def test_a_task_s_own_command_on_a_file_only_it_knows_is_no_overlap() -> None:
    touched = {"task_1": files(read="f", command=True), "task_2": files(read="g")}
    known = {"task_1": {"f": "old"}, "task_2": {"g": "x"}}
    assert overwritten_by_commands(touched, known, {"f": "new", "g": "x"}.get) == []
