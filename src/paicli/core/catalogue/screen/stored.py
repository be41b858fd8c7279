"""Texts for people about what is kept on disk and what was loaded from there."""

TEXTS: dict[str, tuple[str, str]] = {
    "stored.read_back": ("已恢复会话,读回 {events} 个事件", "Session resumed: {events} events read back"),
    "stored.skipped_lines": ("有 {lines} 行损坏的记录被跳过", "{lines} damaged lines of the record were skipped"),
    "stored.forked_from": ("从会话 {session} 分出", "Forked from session {session}"),
    "stored.not_in_snapshot": ("快照未包含: {paths}", "Not in the snapshot: {paths}"),
    "stored.files_restored": (
        "已恢复 {written} 个文件,移除 {removed} 个",
        "{written} {written:file|files} restored, {removed} removed",
    ),
    "stored.files_not_restored": ("未能恢复: {paths}", "Could not be restored: {paths}"),
    "stored.memory_saved": ("已记入 {path}", "Saved to {path}"),
    "stored.skill_loaded": ("已加载技能 {name}", "Skill {name} loaded"),
    "stored.turn_tightened": ("按本轮要求限制: {restrictions}", "Held to, by the words of this turn: {restrictions}"),
    "restriction.no_network": ("不联网", "no network"),
    "restriction.read_only": ("只读", "read only"),
    "restriction.no_commands": ("不执行命令", "no commands"),
    "cli.help.sessions": ("列出当前目录的会话", "list this folder's sessions"),
    "cli.help--continue": (
        "继续当前目录最近的会话(也可与 -p 合用)",
        "go on with the newest session here (with -p too)",
    ),
    "cli.help--resume": (
        "继续 ID 对应的会话,可以只写 ID 的开头(也可与 -p 合用)",
        "go on with session ID, or the one that begins so (with -p too)",
    ),
    "stored.unreadable": ("读不了会话记录 {path}: {reason}", "The session's record {path} can't be read: {reason}"),
    "stored.unwritable": ("写不了 {path}: {reason}", "{path} can't be written: {reason}"),
    "stored.none_here": (
        "这个文件夹里还没有可以继续的会话 ({project})",
        "There is no session to go on with in this folder ({project})",
    ),
    "stored.unknown": (
        "没有 ID 为 {id} 的会话。`paicli sessions`(会话里用 /sessions)列出已有的会话",
        "There is no session {id}. `paicli sessions` (in a session /sessions) lists those there are",
    ),
    "stored.unknown_near": (
        "没有 ID 为 {id} 的会话。最接近的: {nearest}",
        "There is no session {id}. Nearest: {nearest}",
    ),
    "stored.ambiguous": ("{id} 对应多个会话: {ids}", "{id} stands for several sessions: {ids}"),
    "stored.elsewhere": (
        "会话 {id} 属于另一个文件夹。请用: paicli -C {project} -r {id}",
        "Session {id} belongs to another folder. Use: paicli -C {project} -r {id}",
    ),
    "stored.busy": (
        "会话 {session} 正在另一个进程里使用,所以在它的副本 {id} 里继续",
        "Session {session} is in use by another process: going on in a copy of it, {id}",
    ),
    "stored.moved": (
        "会话 {session} 原来的文件夹已不存在,在这里以副本 {id} 继续",
        "The folder of session {session} is gone: going on here, in a copy of it, {id}",
    ),
    "stored.damaged": (
        "会话记录里有 {lines} 行损坏,已跳过,原样保留在 {path}",
        "{lines} damaged lines of the session's record were left out and kept in {path}",
    ),
    "stored.unknown_events": (
        "会话记录里有 {events} 个事件来自别的版本,已跳过",
        "{events} events of the session's record come from another version and were left out",
    ),
    "stored.model_kept": (
        "会话上次用的模型 {model} 现在用不了,改用 {current}",
        "The session's last model {model} can't be used now; going on with {current}",
    ),
    "stored.restored": (
        "已恢复会话 {id} · {title} · {turns} 轮 · {messages} 条消息 · {todos} 项待办 · {tokens} token",
        "Session {id} restored · {title} · {turns} {turns:turn|turns} · "
        "{messages} {messages:message|messages} · {todos} {todos:to-do|to-dos} · {tokens} tokens",
    ),
    "stored.earlier": ("(之前还有 {turns} 轮)", "({turns} earlier {turns:turn|turns})"),
    "stored.interrupted": ("(没有完成就中断了)", "(interrupted before it ended)"),
    "stored.untitled": ("(无标题)", "(untitled)"),
    "stored.list_none": ("这个文件夹里还没有会话", "There are no sessions in this folder yet"),
    "stored.row": (
        "{mark} {number:>3}  {id}  {time}  {turns:>3} 轮  {size:>8}  {model}  {title}",
        "{mark} {number:>3}  {id}  {time}  {turns:>3} {turns:turn |turns}  {size:>8}  {model}  {title}",
    ),
    "stored.choose": ("继续哪一个会话?", "Go on with which session?"),
    "stored.choice": ("{time}  {turns:>3} 轮  {title}", "{time}  {turns:>3} {turns:turn |turns}  {title}"),
    "stored.choose_keys": ("↑↓ 选择 · 回车 继续 · ESC 关闭", "↑↓ choose · Enter goes on with it · ESC closes"),
    "stored.list_older": (
        "还有 {count} 个更早的会话: /resume 可以选择,paicli sessions 列出全部",
        "{count} older {count:session|sessions}: /resume offers them, paicli sessions lists all",
    ),
    "stored.list_hint": (
        "/resume 编号或 ID 继续其中一个,/fork 从这里分出一个副本",
        "/resume NUMBER or ID goes on with one of them, /fork makes a copy from here",
    ),
    "stored.cli_hint": (
        "用 paicli -r ID 继续,paicli -c 继续最近的一个",
        "paicli -r ID goes on with one, paicli -c with the newest",
    ),
    "stored.is_current": ("现在就在会话 {id} 里", "This is session {id}"),
    "stored.wait": (
        "正在执行。等它结束或按 ESC 取消后再换会话",
        "Something is running. Change sessions when it has ended, or cancel it with ESC",
    ),
    "stored.nothing_to_fork": ("这个会话还没有内容可以分出", "There is nothing in this session to fork yet"),
    "stored.going": ("转到会话 {id}", "Going to session {id}"),
    "stored.forking": ("从会话 {id} 分出副本", "Forking session {id}"),
    "stored.plan_exported": (
        "已把计划的 {tasks} 个任务写成 Mermaid 图: {path}",
        "The plan's {tasks} tasks were written as a Mermaid graph: {path}",
    ),
    "stored.no_plan": ("这个会话里没有计划可以导出", "There is no plan in this session to export"),
}
