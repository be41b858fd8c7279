"""What a person reads about the session's commands; code → (zh, en).

`command.NAME` is a command's one-line help, `command.NAME.more` what `/help NAME` adds.
"""

_HELP: dict[str, tuple[str, str]] = {
    "command.help": ("列出命令和按键;/help NAME 说明一个命令", "list commands and keys; /help NAME tells of one"),
    "command.plan": (
        "先规划再执行;不带目标时对下一条任务生效",
        "plan first, then run; without a goal: for the next input",
    ),
    "command.mode": ("查看或切换模式", "show or set the mode"),
    "command.hitl": ("on = ask 模式,default = auto 模式", "on = ask mode, default = auto mode"),
    "command.model": ("列出模型;带名字时切换,对话保留", "list the models; with a name: switch, the conversation stays"),
    "command.model.more": (
        "NAME 是当前提供方的模型;PROVIDER/NAME 换提供方;只写 PROVIDER 用它的默认模型\n"
        "从下一次请求起生效;--save 同时写入 config.toml",
        "NAME is a model of the current provider, PROVIDER/NAME of another one, PROVIDER alone its default model\n"
        "Holds from the next request on; --save writes it to config.toml too",
    ),
    "command.cancel": ("取消正在执行的任务", "cancel what is running"),
    "command.clear": ("清空对话", "start the conversation anew"),
    "command.context": ("上下文窗口里有什么,各占多少", "what fills the window, and how much of it"),
    "command.status": (
        "版本、项目、模型、模式、日志位置等",
        "version, project, model, mode, where the journal is, and so on",
    ),
    "command.tasks": (
        "查看后台命令和计划任务;stop ID 停止后台命令",
        "background commands and plan tasks; stop ID ends one",
    ),
    "command.diff": ("尚未提交的改动(git),或快照 N 之后的改动", "what is not committed, or changed since snapshot N"),
    "command.init": ("查看项目并写出 PAI.md", "look at the project and write PAI.md"),
    "command.init.more": (
        "已有 PAI.md 时不做任何事;/init --force 改写它。其他文字告诉模型要留意什么",
        "Does nothing where there is a PAI.md; /init --force rewrites it. Other words say what to mind",
    ),
    "command.memory": (
        "模型读到的规则文件和记忆;edit 打开,forget 删除一条记忆",
        "the rules and the memory that the model knows; edit opens a file, forget takes a memory out",
    ),
    "command.add-dir": ("允许文件工具使用另一个目录", "let the file tools use one more folder"),
    "command.permissions": (
        "查看或修改权限规则,例如 allow execute_command(git diff:*)",
        "show or change the permission rules: allow execute_command(git diff:*)",
    ),
    "command.permissions.more": (
        "deny 优先于 ask,ask 优先于 allow。命令的规则: 词:* 匹配以这些词开头的命令,不带 :* 则逐字匹配\n"
        "对本会话生效;--save 同时写入 config.toml",
        "deny beats ask, ask beats allow. For commands, words:* matches what begins with these words; without :* word "
        "for word\nHolds for this session; --save writes it to config.toml too",
    ),
    "command.config": (
        "生效的设置和来源;edit 用编辑器打开 config.toml",
        "the settings in force and their sources; edit opens config.toml",
    ),
    "command.theme": ("查看或切换配色", "show or set the colours"),
    "command.lang": ("切换界面语言", "set the language of the interface"),
    "command.copy": ("复制上一个回答到剪贴板", "copy the last answer to the clipboard"),
    "command.editor": ("用编辑器写输入(同 Ctrl+G)", "write the input in your editor (as Ctrl+G)"),
    "command.export": ("把对话或计划写入文件", "write the conversation or the plan to a file"),
    "command.rename": ("给会话起标题", "give the session a title"),
    "command.bug": (
        "报告问题需要的文件在哪里(不发送任何内容)",
        "where the files for a bug report are (nothing is sent)",
    ),
    "command.exit": ("退出", "leave"),
    "command.team": ("多个角色协作完成目标", "let several roles work on a goal"),
    "command.compact": (
        "压缩对话: 较早的部分变成摘要,可说明要保留的重点",
        "compact the conversation: what is older becomes a summary; say what it should keep in view",
    ),
    "command.cost": ("token 和费用,按谁、任务和模型", "tokens and cost, by who asked, task and model"),
    "command.save": ("记住一条信息,从下一个对话起生效", "remember a line, from the next conversation on"),
    "command.skill": ("查看和开关技能", "show and switch skills"),
    "command.mcp": ("MCP 服务器", "MCP servers"),
    "command.policy": (
        "本轮的工具策略;带命令时,看它会不会被拒绝",
        "the tool policy of this turn; with a command: whether it would be refused",
    ),
    "command.audit": ("最近 N 条写入、命令和外联的记录", "the last N writes, commands and outgoing calls"),
    "command.undo": ("撤销最近 N 轮的文件改动", "take back the file changes of the last N turns"),
    "command.restore": ("列出快照;把文件恢复到快照 N", "list the snapshots; take the files back to snapshot N"),
    "command.snapshot": ("现在保存一个文件快照", "keep how the files are now"),
    "command.sessions": ("列出会话", "list the sessions"),
    "command.resume": ("继续一个会话", "go on with a session"),
    "command.fork": ("复制会话", "copy the session"),
    "command.doctor": (
        "检查配置、模型接口和终端;offline 时不发送请求",
        "check the configuration, the model and the terminal; offline: without a request",
    ),
    "command.hooks": ("查看钩子", "show the hooks"),
}

_ANSWERS: dict[str, tuple[str, str]] = {
    "session.help_aliases": ("  也可写作 {names}", "  also {names}"),
    "session.help_own": ("你的命令:", "Your commands:"),
    "session.help_project_commands": (
        "项目的 .paicli/commands 未加载: 此目录未被信任(paicli trust)",
        "The project's .paicli/commands is not loaded: this folder is not trusted (paicli trust)",
    ),
    "session.own_command": ("自定义命令", "a command of your own"),
    "session.not_here": ("这里不能使用 /{name}", "/{name} can't be used here"),
    "session.needs_terminal": ("/{name} 需要终端", "/{name} needs a terminal"),
    "session.edited_config": (
        "{path} 没有问题;/model 立即使用它,其余设置下次启动生效",
        "{path} is fine; /model uses it at once, the rest holds from the next start",
    ),
    "session.edited_rules": ("{path} 已保存;下一个会话起生效", "{path} is saved; it holds from the next session on"),
    "session.no_editor": ("没有编辑器: 请设置 $EDITOR", "No editor: set $EDITOR"),
    "session.editor_failed": ("编辑器 {editor} 没有正常结束: {reason}", "The editor {editor} failed: {reason}"),
    # model
    "session.models": ("模型:", "Models:"),
    "session.models_no_key": ("尚未配置: {names}", "Not set up: {names}"),
    "session.model_hint": (
        "/model [PROVIDER/]NAME 切换,--save 保存",
        "/model [PROVIDER/]NAME switches; --save keeps it",
    ),
    "session.model_usage": ("用法: /model [PROVIDER/]NAME [--save]", "Usage: /model [PROVIDER/]NAME [--save]"),
    "session.model_same": ("已经在用 {provider}/{model}", "{provider}/{model} is in use already"),
    "session.model_replayed": ("回放的会话不能换模型", "A replayed session has no other model"),
    "session.model_no_replay": ("不能在会话中切换到回放", "A session can't be switched to a recording"),
    "session.model_saved": ("已写入 {path}", "Written to {path}"),
    "session.model_overridden": (
        "已写入 {path},但环境变量 {variables} 在下次启动时优先",
        "Written to {path}; the environment variables {variables} will win at the next start",
    ),
    "session.model_not_saved": (
        "未保存: {path} 的 [model] 里有属于 {provider} 的 {keys},请先移走",
        "Not saved: [model] in {path} holds {keys}, which belong to {provider}; move them first",
    ),
    # context, status, memory
    "session.context_title": (
        "上下文窗口 {window} tokens,{messages} 条消息(估算):",
        "Window of {window} tokens, {messages} messages (estimated):",
    ),
    "session.context_system": ("系统提示", "system prompt"),
    "session.context_rules": ("PAI.md", "PAI.md"),
    "session.context_tools": ("工具", "tools"),
    "session.context_conversation": ("对话", "conversation"),
    "session.context_total": ("合计", "in all"),
    "session.context_tokens": ("{tokens} tokens  {percent}", "{tokens} tokens  {percent}"),
    "session.context_usage": (
        "服务器上次的计数: 输入 {input}(缓存 {cached}),输出 {output}",
        "As the server counted last: {input} in ({cached} cached), {output} out",
    ),
    "session.context_no_usage": ("服务器还没有给出计数", "The server has counted nothing yet"),
    "session.status_version": ("版本", "version"),
    "session.status_title": ("标题", "title"),
    "session.status_project": ("项目", "project"),
    "session.status_branch": ("分支", "branch"),
    "session.status_model": ("模型", "model"),
    "session.status_mode": ("模式", "mode"),
    "session.status_language": ("语言", "language"),
    "session.status_rules": ("项目规则", "project rules"),
    "session.status_no_rules": ("没有 PAI.md", "no PAI.md"),
    "session.status_rules_new": (
        "{path}(会话开始后才有: 从下一个会话起生效,/clear 可立即开始)",
        "{path} (made since this conversation began; the next one has it: /clear begins one)",
    ),
    "session.status_rules_changed": (
        "{rules},之后有改动: 从下一个会话起生效,/clear 可立即开始",
        "{rules}, changed since; the next conversation has that: /clear begins one",
    ),
    "session.status_folders": ("另外的目录", "more folders"),
    "session.status_running": ("运行中", "running"),
    "session.status_journal": ("日志", "journal"),
    "session.rules_file": ("{path}({size} 字节,{characters} 个字符)", "{path} ({size} bytes, {characters} characters)"),
    "session.rules_file_cut": (
        "{path}({size} 字节,只读取了前 {characters} 个字符)",
        "{path} ({size} bytes, only the first {characters} characters were taken)",
    ),
    # tasks
    "session.tasks_none": ("没有后台命令,也没有正在执行的计划任务", "No background command and no task of a plan runs"),
    "session.tasks_usage": ("用法: /tasks 或 /tasks stop ID", "Usage: /tasks or /tasks stop ID"),
    "session.tasks_hint": ("/tasks stop ID 停止一个后台命令", "/tasks stop ID ends a background command"),
    "session.tasks_unknown": ("没有任务 {id}", "There is no task {id}"),
    "session.tasks_of_plan": (
        "{id} 是计划任务: 用 ESC 或 /cancel 取消整个计划",
        "{id} is a task of the plan: ESC or /cancel cancels the plan",
    ),
    "session.tasks_ended": ("{id} 已经结束", "{id} has ended already"),
    "session.task_running": ("运行 {seconds} s  {what}", "running {seconds} s  {what}"),
    "session.task_ended": ("已结束(exit {exit})  {what}", "ended (exit {exit})  {what}"),
    "session.task_stopped": ("正在停止 {id}", "Stopping {id}"),
    # permissions, folders
    "session.rules_title": ("权限规则:", "Permission rules:"),
    "session.rules_none": ("没有权限规则", "No permission rules"),
    "session.rules_order": ("deny 优先于 ask,ask 优先于 allow", "deny beats ask, ask beats allow"),
    "session.permissions_usage": (
        "用法: /permissions allow|ask|deny|remove RULE [--save],例如 RULE = execute_command(git diff:*)",
        "Usage: /permissions allow|ask|deny|remove RULE [--save], with a RULE such as execute_command(git diff:*)",
    ),
    "session.rule_added": ("本会话规则: {decision} {rule}", "Rule of this session: {decision} {rule}"),
    "session.rule_removed": ("本会话不再有规则: {rule}", "No rule of this session any more: {rule}"),
    "session.rule_unknown": ("没有规则 {rule}", "There is no rule {rule}"),
    "session.rule_saved": ("已写入 {path}: {decision} {rule}", "Written to {path}: {decision} {rule}"),
    "session.rule_taken_out": ("已从 {path} 移除: {rule}", "Taken out of {path}: {rule}"),
    "session.rule_not_saved": (
        "规则只在本会话有效,{path} 没有改动",
        "The rule holds for this session only; {path} is as it was",
    ),
    "session.add_dir_usage": ("用法: /add-dir DIR", "Usage: /add-dir DIR"),
    "session.dir_added": ("文件工具现在可以使用 {path}", "The file tools may use {path} now"),
    # config, language, theme
    "session.config_usage": ("用法: /config 或 /config edit", "Usage: /config or /config edit"),
    "session.config_path": ("配置文件: {path}", "File: {path}"),
    "session.source_option": ("选项", "option"),
    "session.source_here": ("选项或本会话", "an option, or this session"),
    "session.source_file": ("config.toml", "config.toml"),
    "session.source_project": ("此目录的 .paicli/config.toml", ".paicli/config.toml of this folder"),
    "session.source_session": ("本会话", "this session"),
    "session.lang_usage": ("用法: /lang zh 或 /lang en", "Usage: /lang zh or /lang en"),
    "session.lang_set": ("界面语言: 中文", "Language of the interface: English"),
    "session.theme": ("配色: {name},可用: {names}", "Theme: {name}; there are {names}"),
    "session.theme_unknown": ("没有配色 {name},可用: {names}", "No theme {name}; there are {names}"),
    # copy, export, rename, diff, bug
    "session.copied": ("已复制 {characters} 个字符({program})", "{characters} characters copied ({program})"),
    "session.copy_nothing": ("还没有可复制的回答", "There is no answer to copy yet"),
    "session.copy_no_program": (
        "没有找到剪贴板程序(wl-copy、xclip、xsel、pbcopy 或 clip.exe)",
        "No clipboard program was found (wl-copy, xclip, xsel, pbcopy or clip.exe)",
    ),
    "session.copy_failed": ("{program} 没有成功: {reason}", "{program} failed: {reason}"),
    "session.export_usage": ("用法: /export md|json|plan|mermaid [FILE]", "Usage: /export md|json|plan|mermaid [FILE]"),
    "session.exported": (
        "对话已写入 {path}({messages} 条消息)",
        "The conversation was written to {path} ({messages} messages)",
    ),
    "session.export_exists": ("{path} 已存在,没有覆盖", "{path} exists; it was not overwritten"),
    "session.export_nothing": ("还没有对话", "There is no conversation yet"),
    "session.export_failed": ("{path} 无法写入: {reason}", "{path} can't be written: {reason}"),
    "session.rename_usage": ("用法: /rename TITLE", "Usage: /rename TITLE"),
    "session.renamed": ("会话标题: {title}", "Title of the session: {title}"),
    "session.diff_none": ("没有未提交的改动", "Nothing is uncommitted"),
    "session.diff_cut": ("改动太多,以上只是一部分", "There is more than is shown above"),
    "session.diff_untracked": ("未跟踪的文件({count}):", "Untracked files ({count}):"),
    "session.diff_no_git": ("没有找到 git", "git was not found"),
    "session.diff_failed": ("git 没有成功: {reason}", "git failed: {reason}"),
    "session.diff_slow": ("git 超过 {seconds} s 没有结束", "git took more than {seconds} s"),
    "session.bug_version": ("版本", "version"),
    "session.bug_platform": ("系统", "platform"),
    "session.bug_journal": ("会话日志", "journal"),
    "session.bug_results": ("大的结果", "large results"),
    "session.bug_logs": ("错误日志", "error logs"),
    "session.bug_config": ("配置", "configuration"),
    "session.bug_hint": (
        "没有发送任何内容。请附上: 你做了什么、期望什么、看到了什么,以及会话日志(密钥已遮盖,但含有项目内容,请先查看)",
        "Nothing is sent. Attach: what you did, what you expected, what you saw, and the journal (keys are masked, but "
        "it holds parts of your project: look at it first)",
    ),
    "init.exists": (
        "{path} 已存在;/init --force 改写它,/memory edit 打开它",
        "{path} exists; /init --force rewrites it, /memory edit opens it",
    ),
    "export.user": ("用户", "User"),
    "export.assistant": ("paicli", "paicli"),
    "export.tool": ("工具 {name}", "Tool {name}"),
    # custom commands
    "custom.bad_name": (
        "{path}: 名字应为小写字母、数字、- 和 _,未加载",
        "{path}: the name must be of a-z, 0-9, - and _; not loaded",
    ),
    "custom.shadows": ("{path}: /{name} 是内置命令,未加载", "{path}: /{name} is built in; not loaded"),
    "custom.unreadable": ("{path}: 无法读取({reason}),未加载", "{path}: can't be read ({reason}); not loaded"),
    "custom.not_utf8": ("{path}: 不是 UTF-8 文本,未加载", "{path}: no UTF-8 text; not loaded"),
    "custom.too_large": ("{path}: 大于 {limit} 字节,未加载", "{path}: larger than {limit} bytes; not loaded"),
    "custom.empty": ("{path}: 没有内容,未加载", "{path}: nothing in it; not loaded"),
    "custom.open_front_matter": (
        "{path}: 开头的 --- 没有结束,未加载",
        "{path}: its first --- is never closed; not loaded",
    ),
    "custom.too_many": ("{path}: 只加载前 {limit} 个命令", "{path}: only the first {limit} commands were loaded"),
}

TEXTS: dict[str, tuple[str, str]] = {**_HELP, **_ANSWERS}
