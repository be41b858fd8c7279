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
    "audit.not_written": (
        "审计记录无法写入 {path}({reason}),会话继续;后续记录写入时还会再试",
        "The audit can't be written to {path} ({reason}); the session goes on, and each further line is tried again",
    ),
    "audit.unreadable": ("审计记录无法读取 {path}: {reason}", "The audit can't be read, {path}: {reason}"),
    "session.audit_usage": ("用法: /audit [N],N 为 1 到 {most}", "Usage: /audit [N], N from 1 to {most}"),
    "session.audit_none": (
        "本会话和今天还没有写入、命令或外联的记录",
        "No write, command or outgoing call yet, in this session or today",
    ),
    "session.audit_damaged": ("跳过了 {lines} 行损坏的记录", "{lines} damaged lines were left out"),
    "session.audit_path": (
        "记录在 {path}(按 UTC 日期);灰色的行属于今天的其他会话",
        "The record is in {path}, by UTC day; dimmed lines are other sessions' of today",
    ),
    "session.audit_time": ("时间(UTC)", "time (UTC)"),
    "session.audit_actor": ("执行者", "actor"),
    "session.audit_tool": ("工具", "tool"),
    "session.audit_decision": ("决定", "decision"),
    "session.audit_outcome": ("结果", "outcome"),
    "audit.allowed": ("允许", "allowed"),
    "audit.denied": ("拒绝", "denied"),
    "audit.none": ("未决定", "undecided"),
    "audit.by_mode": ("模式", "mode"),
    "audit.by_rule": ("规则", "rule"),
    "audit.by_plain_reading": ("只读命令", "plain reading"),
    "audit.by_reviewer": ("审查", "review"),
    "audit.by_cache": ("已审查过", "reviewed before"),
    "audit.by_user": ("用户", "you"),
    "audit.by_grant": ("本会话许可", "grant"),
    "audit.by_guard": ("防护", "guard"),
    "audit.by_policy": ("本轮要求", "words of the turn"),
    "audit.by_option": ("选项", "option"),
    "audit.by_nobody": ("无人可问", "nobody there"),
    "audit.by_cancel": ("取消", "cancel"),
    "audit.by_hook": ("钩子", "hook"),
    "audit.was_ok": ("成功", "ok"),
    "audit.was_failed": ("失败", "failed"),
    "audit.was_denied": ("被拒绝", "denied"),
    "audit.was_cancelled": ("已取消", "cancelled"),
    "audit.was_unfinished": ("未结束", "unfinished"),
    "doctor.sandbox_works": ("沙箱 {mode} 可用({program})", "the sandbox ({mode}) works ({program})"),
    "cli.help--sandbox": (
        "限制命令: off、workspace(只能写项目和自己的临时目录)或 strict(并且没有网络)",
        "confine commands: off, workspace (they write only to the project and a temporary folder) or strict (and have "
        "no network)",
    ),
}
