"""What a model reads about rules, memory and skills."""

TEXTS: dict[str, str] = {
    "rules.file": "── {name}",
    "rules.imported": "── {name}(由 {by} 用 @ 引入)",
    "rules.cut": "(这个文件共 {total} 个字符,到此为止,后面没有读入;需要时用 read_file 读。)",
    "memory.prompt": "以下是用户要求记住的事,新的在后;与用户在对话里的话冲突时,以对话为准:\n{text}",
    "memory.older": "(更早的 {count} 条没有列出。)",
    "memory.tool_saved": "已记住,从下一个对话起生效:{text}",
    "memory.tool_known": "已经记着,没有重复保存:{text}",
    "memory.tool_failed": "没有保存:{reason}",
    "policy.memory_unasked": (
        "没有保存: 用户本轮没有要求记住。只有用户明确说“记住”(remember)时才能保存;用户也可以自己输入 /save 文字。"
    ),
    "skill.index": "以下是可用的技能。任务用得上时,先用 load_skill 加载,再照它做:\n{entries}",
    "skill.cut": "(技能共 {total} 个字符,到此为止;其余用 read_file 读 {path}。)",
    "skill.mark": '<skill name="{name}"',
    "skill.body": '{mark} folder="{folder}">\n{text}\n</skill>',
    "skill.loaded": "技能 {name} 已加载,内容在下一条消息里。",
    "skill.already": "技能 {name} 在本对话里已经加载,内容在前面,照它做即可。",
    "skill.unknown": "没有技能 {name}。可用: {known}",
}
