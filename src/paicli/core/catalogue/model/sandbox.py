"""What a model reads where the sandbox keeps a command from running (Chinese in both interface languages)."""

TEXTS: dict[str, str] = {
    "sandbox.missing": (
        "命令没有执行: 已要求在沙箱({mode})中执行,但这台机器上没有 {program}。不会在沙箱之外执行;请告诉用户安装它,"
        "或由用户关闭沙箱"
    ),
    "sandbox.refused": (
        "命令没有执行: 已要求在沙箱({mode})中执行,但 {program} 不能用({reason})。不会在沙箱之外执行;请把原因告诉用户"
    ),
}
