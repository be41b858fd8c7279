"""The environment a command gets: the user's own, without paicli's secrets, and without anything that asks or pages."""

from collections.abc import Collection, Mapping

_PLAIN = {
    "TERM": "dumb",
    "NO_COLOR": "1",
    "PAGER": "cat",
    "MANPAGER": "cat",
    "GIT_PAGER": "cat",
    "GH_PAGER": "cat",
    "SYSTEMD_PAGER": "cat",
    "AWS_PAGER": "",
    "DELTA_PAGER": "cat",
    "BAT_PAGER": "cat",
}

_SILENT = {
    # `false` and not `true`: with `true` an amend, a merge or a rebase would go on with a text nobody wrote.
    "EDITOR": "false",
    "VISUAL": "false",
    "GIT_EDITOR": "false",
    "GIT_SEQUENCE_EDITOR": "false",
    "GIT_TERMINAL_PROMPT": "0",
    "GCM_INTERACTIVE": "never",
    "SSH_ASKPASS_REQUIRE": "never",
    "DEBIAN_FRONTEND": "noninteractive",
    "PIP_NO_INPUT": "1",
}

_REMOVED = ("FORCE_COLOR", "CLICOLOR_FORCE", "SSH_ASKPASS", "SUDO_ASKPASS", "LS_COLORS", "OLDPWD")

_MIN_SECRET_CHARS = 6
"""A shorter value would match ordinary variables."""
_MIN_EMBEDDED_CHARS = 16
"""From this length on a secret is looked for inside values too."""


def command_environment(
    base: Mapping[str, str], *, secret_names: Collection[str] = (), secret_values: Collection[str] = ()
) -> dict[str, str]:
    """A copy of `base` for commands.

    Out go `secret_names`, `PAICLI_*KEY`, and every variable that holds one of `secret_values`. Pagers, editors, colours
    and prompts are switched off; PATH, HOME, LANG and the user's other variables stay.
    """
    kept = {
        name: value
        for name, value in base.items()
        if name not in secret_names
        and name not in _REMOVED
        and not (name.startswith("PAICLI_") and name.endswith("KEY"))
        and not _holds_secret(value, secret_values)
    }
    return {**kept, **_PLAIN, **_SILENT}


def _holds_secret(value: str, secrets: Collection[str]) -> bool:
    return any(
        (len(secret) >= _MIN_SECRET_CHARS and value == secret)
        or (len(secret) >= _MIN_EMBEDDED_CHARS and secret in value)
        for secret in secrets
    )
