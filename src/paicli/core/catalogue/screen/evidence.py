"""Texts for people about what a session's record proves."""

TEXTS: dict[str, tuple[str, str]] = {
    "evidence.kept": (
        "✅ {path}: {events} 个事件,没有违反规则",
        "✅ {path}: {events} {events:event|events}, every rule was kept",
    ),
    "evidence.broken": ("❌ {path}: 违反规则 {count} 处", "❌ {path}: {count} {count:violation|violations}"),
    "evidence.violation": ("   #{seq} {rule}: {what}", "   #{seq} {rule}: {what}"),
    "evidence.unjudgeable": ("⚠️ {path} 无法判定: {why}", "⚠️ {path} can't be judged: {why}"),
    "evidence.no_file": ("没有文件 {path}", "There is no file {path}"),
    "evidence.no_session": ("还没有任何会话", "There is no session yet"),
    "evidence.unknown_session": (
        "没有会话 {session};用 paicli sessions 查看",
        "No session {session}; see paicli sessions",
    ),
    "evidence.ambiguous": (
        "有 {count} 个会话以 {session} 开头,请写得更长一些",
        "{count} sessions begin with {session}: write more of it",
    ),
    "evidence.no_replayer": ("安装不完整,缺少回放校验程序: {places}", "The installation lacks its replayer: {places}"),
    "evidence.nothing_to_report": ("{path} 里没有模型的回复", "{path} holds no reply of a model"),
    "evidence.report_exists": ("{path} 已存在,请用 --out 换一个名字", "{path} exists already: name another with --out"),
    "evidence.reported": (
        "已写入 {path}: {turns} 轮,{replies} 个回复,密钥已遮盖。分享前请先看一遍。",
        "Written to {path}: {turns} {turns:turn|turns}, {replies} {replies:reply|replies}, keys masked. "
        "Read it before you share it.",
    ),
    "evidence.replay_by": ("回放: {command}", "Replay: {command}"),
}
