import base64
import os
from pathlib import Path

import pytest

from paicli.agent.mentions.attachments import MAX_MENTIONS, Attachments
from paicli.agent.mentions.images import MAX_IMAGE_BYTES, MAX_IMAGES
from paicli.core.messages import Image
from tests.agent.mentions.test_attachments import HEAD, Desk, block
from tests.agent.mentions.tiny_images import GIF, JPEG_HEAD, PNG, WEBP_HEAD


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


def seeing(root: Path) -> Desk:
    return Desk(root, sees_images=True)


def image(path: str, media_type: str, raw: bytes) -> Image:
    return Image(path, media_type, base64.b64encode(raw).decode(), len(raw))


@pytest.mark.parametrize(
    ("raw", "media_type"),
    [(PNG, "image/png"), (GIF, "image/gif"), (JPEG_HEAD, "image/jpeg"), (WEBP_HEAD, "image/webp")],
)
@pytest.mark.parametrize("name", ["shot.png", "shot", "shot.txt"])
def test_an_image_is_known_by_its_bytes_and_not_by_its_name(root: Path, name: str, raw: bytes, media_type: str) -> None:
    (root / name).write_bytes(raw)
    desk = seeing(root)
    assert desk.attachments(f"what is @{name}?") == Attachments("", (image(name, media_type, raw),))
    assert desk.notices == [("images_attached", name)]


def test_images_and_files_are_attached_side_by_side_each_once(root: Path) -> None:
    (root / "a.png").write_bytes(PNG)
    (root / "my shot.gif").write_bytes(GIF)
    (root / "a.py").write_text("x\n")
    desk = seeing(root)
    found = desk.attachments('@a.png and @a.py, "my shot.gif", my\\ shot.gif, a.png and none.png')
    file = block("read_file", 1, "a.py\n1\tx")
    assert found == Attachments(
        f"{HEAD}\n\n{file}",
        (image("a.png", "image/png", PNG), image("my shot.gif", "image/gif", GIF)),
    )
    assert desk.notices == [("attached", "a.py"), ("images_attached", "a.png, my shot.gif")]


@pytest.mark.parametrize("text", ["see @p.png", "see p.png please"])
@pytest.mark.parametrize("raw", [b"plain text\n", b"BM\0\0\0\0", b"", b"%PDF-1.7"])
def test_what_is_only_called_an_image_is_one_notice(root: Path, text: str, raw: bytes) -> None:
    (root / "p.png").write_bytes(raw)
    desk = seeing(root)
    assert (desk.attachments(text), desk.notices) == (Attachments(), [("image_unknown", "p.png")])


def test_five_million_bytes_are_attached_and_one_more_is_too_large(root: Path) -> None:
    (root / "fits.png").write_bytes(PNG.ljust(MAX_IMAGE_BYTES, b"\0"))
    (root / "large.png").write_bytes(PNG.ljust(MAX_IMAGE_BYTES + 1, b"\0"))
    desk = seeing(root)
    found = desk.attachments("@large.png @fits.png")
    assert [(each.path, each.size_bytes) for each in found.images] == [("fits.png", MAX_IMAGE_BYTES)]
    assert desk.notices == [("image_too_large", "large.png"), ("images_attached", "fits.png")]


def test_five_images_are_attached_beside_five_files_and_the_rest_is_named(root: Path) -> None:
    for number in range(1, 8):
        (root / f"{number}.png").write_bytes(PNG)
        (root / f"{number}.txt").write_text("x\n")
    desk = seeing(root)
    mentioned = " ".join(f"@{number}.png @{number}.txt" for number in range(1, 8))
    found = desk.attachments(mentioned)
    assert [each.path for each in found.images] == [f"{number}.png" for number in range(1, MAX_IMAGES + 1)]
    assert found.text.count("<tool_result") == 5
    assert dict(desk.notices) == {
        "attached": "1.txt, 2.txt, 3.txt, 4.txt, 5.txt",
        "images_attached": "1.png, 2.png, 3.png, 4.png, 5.png",
        "left_out": "6.txt, 7.txt",
        "images_left_out": "6.png, 7.png",
    }


def test_of_a_long_list_of_bare_names_only_the_first_are_looked_at(root: Path) -> None:
    for number in range(MAX_MENTIONS + 5):
        (root / f"{number}.png").write_bytes(PNG)
    desk = seeing(root)
    desk.attachments(" ".join(f"{number}.png" for number in range(MAX_MENTIONS + 5)))
    left_out = dict(desk.notices)["images_left_out"].split(", ")
    assert left_out == [f"{number}.png" for number in range(MAX_IMAGES, MAX_MENTIONS)]


@pytest.mark.parametrize("written", ["{outside}", "link.png", "'{outside}'"])  # C79
def test_an_image_outside_the_project_is_not_read(root: Path, written: str) -> None:
    outside = root.parent / "other.png"
    outside.write_bytes(PNG)
    (root / "link.png").symlink_to(outside)
    desk = seeing(root)
    named = written.format(outside=outside)
    assert desk.attachments(f"see {named}") == Attachments()
    assert desk.notices == [("image_outside", named.strip("'"))]


@pytest.mark.parametrize("path", ["../other.png", "link.png", ".git/shot.png"])  # C79
def test_a_mentioned_image_outside_the_project_is_not_read(root: Path, path: str) -> None:
    (root / ".git").mkdir()
    (root / ".git" / "shot.png").write_bytes(PNG)
    (root.parent / "other.png").write_bytes(PNG)
    (root / "link.png").symlink_to(root.parent / "other.png")
    desk = seeing(root)
    assert (desk.attachments(f"see @{path}"), desk.notices) == (Attachments(), [("outside", path)])


def test_a_pipe_called_an_image_is_not_waited_for(root: Path) -> None:  # C31
    os.mkfifo(root / "p.png")
    desk = seeing(root)
    assert (desk.attachments("see @p.png and p.png"), desk.notices) == (Attachments(), [("no_file", "p.png")])


def test_a_name_with_control_characters_is_shown_as_one_line(root: Path) -> None:  # C33
    (root / "a\nb.png").write_bytes(PNG)
    desk = seeing(root)
    (found,) = desk.attachments('see @"a\\nb.png"').images
    assert found.path == "a\\nb.png"


def test_a_zero_byte_in_the_words_names_nothing(root: Path) -> None:
    desk = seeing(root)
    assert (desk.attachments("see a\0b.png"), desk.said) == (Attachments(), [])
