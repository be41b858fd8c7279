"""Texts for a model about files that were put back."""

TEXTS: dict[str, str] = {
    "snapshots.tool_done": (
        "已恢复: 写回 {written} 个文件,移除 {removed} 个。之前读到的内容可能已过时,修改前请重新读取。\n{paths}"
    ),
    "snapshots.tool_failed": "未能恢复: {paths}",
    "snapshots.not_in_a_task": "计划任务中不能恢复文件: 其他任务可能正在写入。",
    "snapshots.tool_refused": "无法恢复文件: {reason}",
    "snapshots.note": (
        "[用户把项目文件恢复到了较早的状态: 写回 {written} 个,移除 {removed} 个({paths})。"
        "之前读到或写入的内容可能已不存在,使用前请重新读取。]"
    ),
}
