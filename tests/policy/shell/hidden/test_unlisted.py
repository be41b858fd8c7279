from pathlib import Path

import pytest

from paicli.policy.command_guard import CommandGuard
from paicli.policy.verdict import CommandVerdict, VerdictKind

GUARD = CommandGuard(Path("/work/proj"), Path("/home/me"))

HIDDEN = [
    "somewrapper sudo id",
    "somewrapper --flag x sudo id",
    "somewrapper rm -rf /",
    "somewrapper env rm -rf ~",
    "somewrapper bash -c 'rm -rf ~'",
    "someshell -c 'rm -rf ~'",
    "somerunner --exec 'sudo id'",
    "somelang -e 'system(\"rm -rf /\")'",
    "sg root -c 'rm -rf /'",
    "capsh -- -c 'rm -rf /'",
    "kubectl exec pod -- rm -rf /",
    "docker exec web rm -rf /",
    "lxc exec box -- sudo id",
    "adb shell rm -rf /",
    "vagrant ssh -c 'rm -rf /'",
    "nix develop -c sudo id",
    "start-stop-daemon --start --exec /usr/bin/sudo id",
    "xdotool type 'sudo id'",
    "screen -X stuff 'sudo id'",
    "bwrap --bind / / rm -rf /",
]
NAMES = [
    "vagrant halt",
    "adb reboot",
    "somewrapper sudo",
    "somewrapper ls",
    "somewrapper rm -rf build",
    "somewrapper bash -c 'echo hi'",
    "apt install sudo vim",
    "npm install sudo prompt",
    'gh pr create --body "sudo rm -rf / is gone"',
    "grep -rn 'rm -rf /' docs",
    "docker run --rm -it ubuntu bash",
    "kubectl exec pod -- rm -rf /srv/cache",
    "logger 'sudo id'",
]


@pytest.mark.parametrize("command", HIDDEN)
def test_a_program_nobody_listed_that_is_handed_a_dangerous_command_is_looked_at(command: str) -> None:  # C43 R7
    assert GUARD.check(command).kind is not VerdictKind.ALLOWED


@pytest.mark.parametrize("command", NAMES)
def test_names_and_messages_are_no_commands(command: str) -> None:
    assert GUARD.check(command) == CommandVerdict(VerdictKind.ALLOWED)
