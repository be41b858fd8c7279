from paicli.core.catalogue.lookup import Language, Texts
from paicli.core.faults import Fault, Finding, Verdict
from paicli.ui.facts import ColorUse
from paicli.ui.rendering.styled import Painter
from paicli.ui.setup.finding_lines import finding_line


def test_a_long_finding_goes_on_under_its_own_text() -> None:
    finding = Finding(Verdict.WARN, Fault("doctor.no_tool_call"))
    shown = Painter(ColorUse.NEVER).block([finding_line(finding, Texts(Language.EN))], columns=50).splitlines()
    assert len(shown) > 1
    assert [row[:6] for row in shown] == ["warn  ", *["      "] * (len(shown) - 1)]
    assert " ".join(row.strip() for row in shown).startswith("warn  the model called no tool and only talked")
