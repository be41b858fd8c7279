"""Texts for people about snapshots of the files, and the way back to them."""

TEXTS: dict[str, tuple[str, str]] = {
    "snapshots.disabled": (
        "快照已关闭(配置 [snapshots] enabled = false)",
        "Snapshots are off ([snapshots] enabled = false in the configuration)",
    ),
    "snapshots.no_git": (
        "没有找到 git: 本次会话没有快照,/undo 和 /restore 不可用",
        "git was not found: no snapshots in this session, no /undo and no /restore",
    ),
    "snapshots.too_large": (
        "项目太大,快照没有在限定时间内完成: 本次会话不再尝试,/undo 和 /restore 不可用",
        "The project is too large for a snapshot in time: no more in this session, no /undo and no /restore",
    ),
    "snapshots.set_aside": (
        "快照库已损坏,移到了 {path};从现在起重新记录,之前的快照不能再恢复",
        "The snapshot store was damaged and lies in {path} now; a new one begins, earlier snapshots can't be restored",
    ),
    "snapshots.failed": ("快照没有成功: {reason}", "The snapshot failed: {reason}"),
    "snapshots.unknown": (
        "没有编号为 {number} 的快照,/restore 列出全部",
        "There is no snapshot {number}; /restore lists them",
    ),
    "snapshots.none_yet": ("还没有快照", "There is no snapshot yet"),
    "snapshots.nothing_to_undo": ("没有可以撤销的文件改动", "There is no file change to take back"),
    "snapshots.nothing_to_change": (
        "文件已经是那个样子,没有要改的",
        "The files are like that already: nothing to change",
    ),
    "snapshots.taken": ("已保存快照 {number}", "Snapshot {number} taken"),
    "snapshots.list_title": ("快照(新的在前):", "Snapshots, newest first:"),
    "snapshots.list_hint": (
        "/restore N 恢复到快照 N,/diff N 查看之后的改动",
        "/restore N goes back to snapshot N, /diff N shows what changed since",
    ),
    "snapshots.row": ("{time}  {what}", "{time}  {what}"),
    "snapshots.row_changed": (
        "{time}  {what}  (改动 {count} 个文件)",
        "{time}  {what}  ({count} {count:file|files} changed)",
    ),
    "snapshots.before_restore": ("恢复到 {number} 之前", "before going back to {number}"),
    "snapshots.asked": ("手动保存", "at your word"),
    "snapshots.undo_usage": (
        "用法: /undo [N],N 为要撤销的轮数",
        "Usage: /undo [N], with N the number of turns to take back",
    ),
    "snapshots.diff_usage": (
        "用法: /diff [N|session],N 为快照编号",
        "Usage: /diff [N|session], with N the number of a snapshot",
    ),
    "snapshots.diff_none": ("自那时起没有改动", "Nothing has changed since then"),
    "snapshots.undo_title": ("撤销这些任务的文件改动:", "Taking back the file changes of:"),
    "snapshots.restore_title": ("把文件恢复到快照 {number}:", "Taking the files back to snapshot {number}:"),
    "snapshots.add": ("+ {path}  (+{added})", "+ {path}  (+{added})"),
    "snapshots.remove": ("- {path}  (-{removed})", "- {path}  (-{removed})"),
    "snapshots.change": ("~ {path}  (+{added} -{removed})", "~ {path}  (+{added} -{removed})"),
    "snapshots.more": ("… 还有 {count} 个文件", "… and {count} more files"),
    "snapshots.by_person": (
        "注意: 这些文件之后在任务之外又改过,那些改动会一起消失: {paths}",
        "Mind: these were changed outside the turns since, and that goes too: {paths}",
    ),
    "snapshots.end_unknown": (
        "注意: 任务结束时的状态没能记下来,之后在任务之外的改动分不出来,会一起撤销",
        "Mind: the turn's end was not noted; what was changed outside since can't be told apart and goes too",
    ),
    "snapshots.in_the_way": (
        "这些不会恢复(现有内容不在任何快照里): {paths}",
        "These stay as they are (no snapshot holds what is there now): {paths}",
    ),
    "snapshots.left_out": (
        "快照里没有这些(过大、不可读或是独立仓库),.gitignore 忽略的也没有: {paths}",
        "Not in snapshots (too large, unreadable or a repository of its own), like all that .gitignore names: {paths}",
    ),
    "snapshots.question": ("现在的状态会先存成快照。执行吗?", "How things are now is kept first. Do it?"),
    "snapshots.keys": ("y/回车 执行 · n/ESC 不执行 · ↑↓ 滚动", "y/Enter do it · n/ESC leave it · ↑↓ scroll"),
    "snapshots.prompt": ("执行吗?(y/n) ", "Do it? (y/n) "),
    "snapshots.not_done": ("没有改动任何文件", "Nothing was changed"),
    "rewind.scope_title": ("回到这一轮之前: {text}", "Back to before: {text}"),
    "rewind.scope_conversation": ("c  只回退对话,文件不变", "c  the conversation; files stay"),
    "rewind.scope_files": ("f  只恢复文件,对话不变", "f  the files; the conversation stays"),
    "rewind.scope_both": ("b  对话和文件", "b  both"),
    "rewind.scope_keys": ("↑↓ 选择 · 回车 确定 · ESC 返回", "↑↓ choose · Enter takes it · ESC back"),
}
