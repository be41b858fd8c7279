import os

from paicli.system.process_group import Claim, ProcessEntry, members, read_process, read_processes

OWN = os.getpid()
SESSION = 5


def table(*entries: ProcessEntry) -> dict[int, ProcessEntry]:
    own = ProcessEntry(OWN, 1, SESSION, SESSION, 10)
    return {entry.pid: entry for entry in (own, *entries)}


def pids(*entries: ProcessEntry, claim: Claim, marked: tuple[int, ...] = ()) -> list[int]:
    return [entry.pid for entry in members(table(*entries), claim, has_marker=lambda pid, marker: pid in marked)]


SHELL = ProcessEntry(100_100, OWN, 100_100, 100_100, 50)
CLAIM = Claim(leaders=frozenset({100_100}), marker=b"RUN=1", since=50)


def test_the_session_the_group_and_the_children_belong_to_a_command() -> None:
    in_group = ProcessEntry(100_101, 1, 100_100, 100_100, 51)
    in_session = ProcessEntry(100_102, 1, 100_102, 100_100, 51)
    child_elsewhere = ProcessEntry(100_103, 100_102, 100_103, 100_103, 52)
    grandchild = ProcessEntry(100_104, 100_103, 100_104, 100_104, 53)
    stranger = ProcessEntry(100_105, 1, 100_105, 100_105, 53)
    found = pids(SHELL, in_group, in_session, child_elsewhere, grandchild, stranger, claim=CLAIM)
    assert found == [100_100, 100_101, 100_102, 100_103, 100_104]


def test_a_marker_counts_for_young_processes_only() -> None:
    young = ProcessEntry(100_101, 1, 100_101, 100_101, 60)
    old = ProcessEntry(100_102, 1, 100_102, 100_102, 40)
    assert pids(young, old, claim=CLAIM, marked=(100_101, 100_102)) == [100_101]


def test_this_process_is_never_a_member() -> None:
    inner = ProcessEntry(100_101, OWN, SESSION, SESSION, 60)
    claim = Claim(leaders=frozenset({SESSION}), takes_orphans=True)
    assert pids(inner, claim=claim) == [100_101]


def test_an_orphan_is_told_from_children_that_were_started_here() -> None:
    orphan = ProcessEntry(100_101, OWN, 100_090, 100_090, 60)
    own_session = ProcessEntry(100_102, OWN, SESSION, SESSION, 60)
    server = ProcessEntry(100_103, OWN, 100_103, 100_103, 60)
    helper_of_server = ProcessEntry(100_104, OWN, 100_103, 100_103, 61)
    too_old = ProcessEntry(100_105, OWN, 100_090, 100_090, 20)
    entries = (orphan, own_session, server, helper_of_server, too_old)
    assert pids(*entries, claim=CLAIM) == []
    assert pids(*entries, claim=CLAIM._replace(takes_orphans=True)) == [100_101]


def test_at_the_end_children_that_lead_a_session_are_taken_too() -> None:
    daemon = ProcessEntry(100_103, OWN, 100_103, 100_103, 60)
    claim = Claim(since=50, takes_orphans=True, takes_leading_orphans=True)
    assert pids(daemon, claim=claim) == [100_103]


def test_what_another_command_left_is_not_taken() -> None:
    orphan = ProcessEntry(100_101, OWN, 100_090, 100_090, 60)
    claim = CLAIM._replace(takes_orphans=True, strangers=frozenset({orphan.identity}))
    assert pids(orphan, claim=claim) == []


def test_a_known_process_belongs_to_it_wherever_it_went() -> None:
    gone = ProcessEntry(100_101, 1, 100_101, 100_101, 60)
    reused = ProcessEntry(100_102, 1, 100_102, 100_102, 70)
    claim = Claim(known=frozenset({(100_101, 60), (100_102, 60)}))
    assert pids(gone, reused, claim=claim) == [100_101]


def test_the_table_knows_this_process_and_its_parent() -> None:
    own = read_process(OWN)
    assert own is not None
    assert own == read_processes()[OWN]
    assert (own.parent, own.group, own.session) == (os.getppid(), os.getpgid(0), os.getsid(0))
