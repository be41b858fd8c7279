from pathlib import Path

from paicli.app.doctor.prompt_check import check_prompts
from paicli.core.faults import Fault, Finding, Verdict


def test_own_prompts_are_named_and_those_that_nobody_reads(tmp_path: Path) -> None:
    assert list(check_prompts(tmp_path)) == [Finding(Verdict.OK, Fault("doctor.prompts"))]
    folder = tmp_path / "prompts"
    for name in ("base.md", "modes/plan.md", "modes/react.txt", "modes/mine.md", "skills/web-access/SKILL.md"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x")
    where = ("path", str(folder))
    assert list(check_prompts(tmp_path)) == [
        Finding(Verdict.OK, Fault("doctor.prompts_own", (where, ("names", "base.md, modes/plan.md")))),
        Finding(
            Verdict.WARN,
            Fault("doctor.prompts_unknown", (where, ("names", "modes/mine.md, skills/web-access/SKILL.md"))),
        ),
    ]
