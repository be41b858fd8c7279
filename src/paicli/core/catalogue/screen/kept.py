"""Texts for people about what is kept on disk and what was loaded from there."""

TEXTS: dict[str, tuple[str, str]] = {
    "kept.resumed": ("已恢复会话,读回 {events} 个事件", "Session resumed: {events} events read back"),
    "kept.damaged": ("有 {lines} 行损坏的记录被跳过", "{lines} damaged lines of the record were skipped"),
    "kept.forked": ("从会话 {session} 分出", "Forked from session {session}"),
    "kept.left_out": ("快照未包含: {paths}", "Not in the snapshot: {paths}"),
    "kept.restored": ("已恢复 {written} 个文件,移除 {removed} 个", "{written} files restored, {removed} removed"),
    "kept.not_restored": ("未能恢复: {paths}", "Could not be restored: {paths}"),
    "kept.memory_saved": ("已记入 {path}", "Saved to {path}"),
    "kept.skill_loaded": ("已加载技能 {name}", "Skill {name} loaded"),
    "kept.tightened": ("按本轮要求限制: {restrictions}", "Held to, by the words of this turn: {restrictions}"),
    "restriction.no_network": ("不联网", "no network"),
    "restriction.read_only": ("只读", "read only"),
    "restriction.no_commands": ("不执行命令", "no commands"),
}
