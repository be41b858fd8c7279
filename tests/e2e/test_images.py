import base64
import os
from pathlib import Path
from typing import Any

import pytest

from tests.agent.mentions.tiny_images import PNG
from tests.e2e.harness import PAICLI, Finished, Terminal, actor_of, plan_json, run_paicli
from tests.fakes.openai_server import OpenAiServer, RecordedRequest, Reply, say

URL = f"data:image/png;base64,{base64.b64encode(PNG).decode()}"


@pytest.fixture
def shot(project: Path) -> Path:
    path = project / "a.png"
    path.write_bytes(PNG)
    return path


def sees(home: Path, vision: str) -> None:
    (home / ".paicli").mkdir()
    (home / ".paicli" / "config.toml").write_text(f"[model]\nvision = {vision}\n")


def user_content(server: OpenAiServer) -> Any:
    (request,) = server.requests
    return request.body["messages"][-1]["content"]


def journals(home: Path) -> str:
    return "".join(path.read_text(encoding="utf-8") for path in home.rglob("sessions/*/*.jsonl"))


def test_an_image_named_by_path_goes_to_a_model_that_sees(project: Path, home: Path, shot: Path) -> None:
    sees(home, "true")
    with OpenAiServer([say("a red pixel")]) as server:
        done = run_paicli("-p", "what is @a.png", project=project, home=home, server=server)

    assert (done.status, done.stdout) == (0, "a red pixel\n")
    assert "已附上图片: a.png" in done.stderr
    assert user_content(server) == [
        {"type": "text", "text": "what is @a.png\n\n[附图 1: a.png]"},
        {"type": "image_url", "image_url": {"url": URL}},
    ]
    assert '"path": "a.png"' in journals(home).replace('":"', '": "')
    assert URL.partition(",")[2] not in journals(home)


def test_a_model_that_gets_text_only_gets_the_words_alone(project: Path, home: Path, shot: Path) -> None:
    sees(home, "false")
    with OpenAiServer([say("?")]) as server:
        done = run_paicli("-p", "what is @a.png", project=project, home=home, server=server)

    assert (done.status, user_content(server)) == (0, "what is @a.png")
    assert "a.png 是图片: 当前模型只能看文字,没有附上" in done.stderr


def test_after_a_switch_a_model_that_gets_text_only_reads_which_image_it_was(
    project: Path, home: Path, shot: Path
) -> None:
    sees(home, "true")
    typed = "what is @a.png\n\n/model deepseek/deepseek-chat\n\nand now?\n\n/exit\n"
    with OpenAiServer([say("a red pixel"), say("still red")]) as server:
        with (home / ".paicli" / "config.toml").open("a") as config:
            config.write(f'[providers.deepseek]\napi_key = "sk-canary-2222222222"\nbase_url = "{server.base_url}"\n')
        done = run_paicli(project=project, home=home, server=server, stdin=typed)

    assert done.status == 0, done.stderr
    first, second = ([m["content"] for m in each.body["messages"] if m["role"] == "user"] for each in server.requests)
    assert [part["type"] for part in first[0]] == ["text", "image_url"]
    unseen = f"[图片 a.png(image/png,{len(PNG)} 字节): 当前模型看不到图片,内容没有发送]"
    assert second == [f"what is @a.png\n\n{unseen}", "and now?"]


def test_of_a_plan_the_planner_sees_the_image_and_the_person_is_told(project: Path, home: Path, shot: Path) -> None:
    sees(home, "true")
    seen: list[tuple[str, bool]] = []

    def reply(request: RecordedRequest) -> Reply:
        content = next(each["content"] for each in request.body["messages"] if each["role"] == "user")
        is_planner = isinstance(content, list)
        seen.append(("planner" if is_planner else actor_of(request), URL in str(content)))
        return say(plan_json(("a", "描述它", ()))) if is_planner else say("done")

    with OpenAiServer(reply) as server:
        done: Finished = run_paicli("-p", "/plan 看 @a.png", "-y", project=project, home=home, server=server)

    assert done.status == 0, done.stderr
    assert seen == [("planner", True), ("task", False)]
    assert "图片只随目标发给规划器,各任务看不到" in done.stderr


@pytest.fixture
def clipboard(tmp_path: Path) -> Path:
    """A PATH on which `xclip` hands out the picture in its folder."""
    folder = tmp_path / "programs"
    folder.mkdir()
    (folder / "picture").write_bytes(PNG)
    offered = "printf 'TARGETS\\nimage/png\\n'"
    (folder / "xclip").write_text(f'#!/bin/sh\ncase "$*" in *TARGETS) {offered};; *) cat "{folder}/picture";; esac\n')
    (folder / "xclip").chmod(0o755)
    return folder


def path_with(folder: Path) -> str:
    return os.pathsep.join((str(folder), str(Path(PAICLI).parent), os.environ["PATH"]))


def test_a_picture_pasted_from_the_clipboard_is_an_image_by_path(project: Path, home: Path, clipboard: Path) -> None:
    sees(home, "true")
    with (
        OpenAiServer([say("a red pixel")]) as server,
        Terminal(project=project, home=home, server=server, PATH=path_with(clipboard)) as terminal,
    ):
        terminal.wait_for("shift+tab")
        terminal.press("看")
        terminal.wait_for("> 看")
        terminal.press("\x16")
        terminal.wait_for("> 看[图片 #1]")
        terminal.press("\x1b[200~\x1b[201~")
        terminal.wait_for("> 看[图片 #1][图片 #2]")
        terminal.press("\x7f")
        terminal.wait_until(lambda text: "#2" not in text, "one Backspace")
        terminal.press("\r")
        terminal.wait_for("已附上图片", "a red pixel")
        first, second = sorted(home.rglob("*.results/*clipboard.png"))
        words, image = user_content(server)
        assert words["text"].startswith(f"看 @{first}\n\n[附图 1: {str(first)[:150]}")
        assert image == {"type": "image_url", "image_url": {"url": URL}}
    assert [path.read_bytes() for path in (first, second)] == [PNG, PNG]
    assert [path.stat().st_mode & 0o777 for path in (first, first.parent)] == [0o600, 0o700]
    assert URL.partition(",")[2] not in journals(home)


def test_why_no_picture_was_pasted_is_said(project: Path, home: Path, clipboard: Path) -> None:
    sees(home, "true")
    with (
        OpenAiServer([]) as server,
        Terminal(project=project, home=home, server=server, PATH=path_with(clipboard)) as terminal,
    ):
        terminal.wait_for("shift+tab")
        (clipboard / "picture").write_bytes(b"no picture")
        terminal.press("\x16")
        terminal.wait_for("不是 PNG、JPEG、GIF 或 WebP 图片")
        (clipboard / "picture").write_bytes(PNG + bytes(5_000_000))
        terminal.press("\x16")
        terminal.wait_for("超过 5 MB")
    assert [*home.rglob("*.results/*clipboard*")] == []


def test_a_model_that_gets_text_only_is_given_no_picture(project: Path, home: Path, clipboard: Path) -> None:
    sees(home, "false")
    with (
        OpenAiServer([]) as server,
        Terminal(project=project, home=home, server=server, PATH=path_with(clipboard)) as terminal,
    ):
        terminal.wait_for("shift+tab")
        terminal.press("\x16")
        terminal.wait_for("当前模型只能看文字,没有附上图片")
    assert [*home.rglob("*.results/*clipboard*")] == []
