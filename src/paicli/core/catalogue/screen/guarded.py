"""Texts for people about the sandbox around commands and the record of what was done."""

TEXTS: dict[str, tuple[str, str]] = {
    "sandbox.missing": (
        "沙箱 {mode} 已开启,但找不到 {program}: 命令都不会执行。请安装它(Linux 上是 bubblewrap 包),或设置 [sandbox] "
        'mode = "off"',
        "The sandbox ({mode}) is on and {program} was not found: no command will run. Install it (on Linux the package "
        'bubblewrap), or set [sandbox] mode = "off"',
    ),
    "sandbox.refused": (
        "沙箱 {mode} 已开启,但 {program} 在这里不能用({reason}): 命令都不会执行",
        "The sandbox ({mode}) is on, but {program} does not work here ({reason}): no command will run",
    ),
    "session.status_sandbox": ("沙箱", "sandbox"),
    "doctor.sandbox_works": ("沙箱 {mode} 可用({program})", "the sandbox ({mode}) works ({program})"),
    "cli.help--sandbox": (
        "限制命令: off、workspace(只能写项目和自己的临时目录)或 strict(并且没有网络)",
        "confine commands: off, workspace (they write only to the project and a temporary folder) or strict (and have "
        "no network)",
    ),
}
