import pytest

from paicli.policy.command_facts import CommandFact, facts_of

D, N, S, P = CommandFact.DELETES, CommandFact.NETWORK, CommandFact.INSTALLS, CommandFact.PUBLISHES
R, E, U, K = (
    CommandFact.REWRITES_HISTORY,
    CommandFact.REDIRECTS,
    CommandFact.UNKNOWN_PARTS,
    CommandFact.ENDS_PROCESSES,
)


@pytest.mark.parametrize(
    ("command", "facts"),
    [
        ("ls -la", ()),
        ("make 2>&1 | tee log >/dev/null", ()),
        ("rm -r build", (D,)),
        ("env X=1 xargs rm", (D,)),
        ("find . -name '*.pyc' -delete", (D,)),
        ("sh -c 'rm a; curl http://x'", (D, N)),
        ("echo rm", ()),
        ("git status", ()),
        ("git -C sub push origin topic", (P, N)),
        ("git commit --amend --no-edit", (R,)),
        ("git checkout -- .", (R,)),
        ("git checkout -b topic", ()),
        ("git reset --hard", (R,)),
        ("pip install x", (S, N)),
        ("python3 -m pip install x", (S, N)),
        ("npm run build", ()),
        ("npm ci", (S, N)),
        ("make > out.txt", (E,)),
        ("kill 12", (K,)),
        ("eval $x", (U,)),
        ("$tool --now", (U,)),
        ("echo 'unfinished", (CommandFact.UNPARSED,)),
    ],
)
def test_what_a_command_does_is_read_off_its_text(command: str, facts: tuple[CommandFact, ...]) -> None:
    assert facts_of(command) == facts
