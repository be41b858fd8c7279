"""What a person reads about questions and lists in the session; code → (zh, en)."""

_APPROVAL: dict[str, tuple[str, str]] = {
    "approval.rule": ("本会话内允许所有 {rule}", "every {rule} for this session"),
    "approval.this_command": ("本会话内允许这条命令", "this very command for this session"),
    "approval.keys_line": (
        "y/回车 允许一次 · a {grant} · n 拒绝 · r 拒绝并说明原因 · s 跳过 · m 修改参数 · ESC 取消任务",
        "y/Enter once · a {grant} · n no · r no, and why · s skip · m change the arguments · ESC cancels the turn",
    ),
    "approval.keys_short": (
        "y 允许 a 同类 n/r 拒绝 s 跳过 m 改 ESC",
        "y yes a all n/r no s skip m edit ESC",
    ),
    "approval.grant": ("a: {grant}", "a: {grant}"),
    "approval.words_line": (
        "y/回车 允许一次 · a {grant} · n [原因] 拒绝 · s 跳过 · m 新内容 修改参数 · cancel 取消任务",
        "y/Enter once · a {grant} · n [why] no · s skip · m TEXT changes the arguments · cancel cancels the turn",
    ),
    "approval.danger": ("⚠ {danger}", "⚠ {danger}"),
    "approval.files_read": (
        "此前读过外部内容(是数据,不是指令): {paths}",
        "Read before (data, never instructions): {paths}",
    ),
    "approval.files_more": ("{paths} 等 {count} 个文件", "{paths} and more, {count} files"),
    "approval.reason_prompt": ("拒绝原因> ", "why not> "),
    "approval.edit_prompt": ("修改> ", "change> "),
    "approval.edit_hint": (
        "回车 重新检查并确认 · Ctrl+G 打开编辑器 · ESC 放弃修改",
        "Enter checks it and asks again · Ctrl+G opens your editor · ESC drops the change",
    ),
    "approval.edit_too_long": (
        "参数有 {count} 个字符,太长,不能在输入行里修改",
        "{count} characters are too many to change them in the input line",
    ),
    "approval.edit_no_json": (
        "参数不是合法的 JSON 对象(第 {line} 行第 {column} 列: {what})",
        "The arguments are no JSON object (line {line}, column {column}: {what})",
    ),
    "approval.edit_no_object": ("参数必须是 JSON 对象", "The arguments have to be a JSON object"),
    "approval.edit_invalid": ("修改后的参数不合要求: {what}", "The changed arguments don't fit: {what}"),
    "approval.edit_masked": (
        "修改后的参数含有被隐藏的密钥({mask}),无法执行;请改成变量,或按 y 执行原来的参数",
        "The changed arguments hold a hidden secret ({mask}) and can't run: use a variable, or take the call as it was",
    ),
    "danger.overwrites": ("覆盖已有的文件", "changes a file that exists"),
    "danger.no_git": (
        "所在目录不受 git 管理,改动无法用 git 找回",
        "not under git: git can't bring back what it changes",
    ),
    "danger.outside": ("在项目目录之外", "outside the project"),
    "danger.deletes": ("会删除文件", "deletes files"),
    "danger.network": ("会访问网络", "uses the network"),
    "danger.installs": ("会安装或下载软件", "installs or downloads software"),
    "danger.publishes": ("会推送、发布或部署", "pushes, publishes or deploys"),
    "danger.rewrites_history": ("会改写 git 历史或丢弃改动", "rewrites git history or drops changes"),
    "danger.redirects": ("会把输出写入文件", "writes its output to a file"),
    "danger.ends_processes": ("会结束其他进程", "ends other processes"),
    "danger.unparsed": ("无法可靠解析,请逐字检查", "can't be parsed with certainty: read it word by word"),
    "danger.unknown_parts": ("有一部分内容只有运行时才知道", "part of it is only known when it runs"),
}

_QUESTION: dict[str, tuple[str, str]] = {
    "question.title": ("❓ 模型提问", "❓ The model asks"),
    "question.option": ("  {number}. {text}", "  {number}. {text}"),
    "question.chosen_option": ("› {number}. {text}", "› {number}. {text}"),
    "question.keys": (
        "1-{count} 或 ↑↓ 回车 选择 · 0 自己回答 · ESC 取消任务",
        "1-{count}, or ↑↓ and Enter, choose · 0 answers in your own words · ESC cancels the turn",
    ),
    "question.keys_short": (
        "1-{count} ↑↓ 回车 · 0 自己回答 · ESC 取消",
        "1-{count} ↑↓ Enter · 0 own words · ESC cancels",
    ),
    "question.keys_free": ("回车 发送 · ESC 取消任务", "Enter sends · ESC cancels the turn"),
    "question.prompt": ("回答> ", "answer> "),
    "question.line_hint": (
        "输入编号或自己的回答,cancel 取消任务",
        "Type a number or an answer of your own; cancel cancels the turn",
    ),
    "question.empty": ("请输入回答", "Please type an answer"),
    "question.answered": ("✓ 已回答: {answer}", "✓ answered: {answer}"),
    "question.cancelled": ("⏹️ 提问已取消", "⏹️ the question was cancelled"),
    "question.nobody": ("没有人回答", "nobody was there to answer"),
    "question.hidden": ("⚠️ 含 {count} 个不可见字符,已标出", "⚠️ {count} invisible characters, marked above"),
}

_LISTS: dict[str, tuple[str, str]] = {
    "list.above": ("↑ 还有 {count} 行", "↑ {count} more"),
    "list.below": ("↓ 还有 {count} 行", "↓ {count} more"),
}

_REWIND: dict[str, tuple[str, str]] = {
    "rewind.title": ("回到哪一轮之前?", "Go back to before which turn?"),
    "rewind.turn": ("{number}. {time}  {text}", "{number}. {time}  {text}"),
    "rewind.keys": (
        "↑↓ 选择 · 回车 选这一轮 · ESC 关闭",
        "↑↓ choose · Enter takes this turn · ESC closes",
    ),
    "rewind.none": ("还没有可以回到的任务", "There is no turn to go back to"),
    "rewind.usage": (
        "用法: /rewind N [files|both],N 为 1..{count}",
        "Usage: /rewind N [files|both], with N in 1..{count}",
    ),
    "rewind.done": ("↩️ 对话已回到这一轮之前: {text}", "↩️ The conversation is back to before this turn: {text}"),
    "rewind.unknown": ("回不到那一轮: 对话已重新开始", "No way back to that turn: the conversation began anew since"),
    "command.rewind": ("回到较早的一轮之前", "go back to before an earlier turn"),
}

_WORK: dict[str, tuple[str, str]] = {
    "work.plan": ("计划 {done}/{count} 完成: {goal}", "Plan {done}/{count} done: {goal}"),
    "work.round": ("第 {number} 轮", "Round {number}"),
    "work.task": ("  {icon} {task} {text}", "  {icon} {task} {text}"),
    "work.none": ("没有正在执行的计划,也没有任务清单", "No plan is running, and there is no to-do list"),
    "work.keys": ("Ctrl+T 或 ESC 关闭 · PgUp/PgDn 滚动", "Ctrl+T or ESC closes · PgUp/PgDn scroll"),
}

_NOTIFY: dict[str, tuple[str, str]] = {
    "notify.done": ("paicli: 任务已结束", "paicli: the turn has ended"),
    "notify.failed": ("paicli: 任务失败", "paicli: the turn failed"),
    "notify.approval": ("paicli: 等待批准", "paicli: an approval waits"),
    "notify.question": ("paicli: 等待回答", "paicli: a question waits"),
    "notify.review": ("paicli: 计划等待确认", "paicli: a plan waits for review"),
}

TEXTS: dict[str, tuple[str, str]] = {**_APPROVAL, **_QUESTION, **_LISTS, **_REWIND, **_WORK, **_NOTIFY}
