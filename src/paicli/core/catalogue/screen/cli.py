"""What a person reads about the command line and its output; code → (zh, en).

`cli.help--name` is the line of an option in `--help`; `cli.help.name` that of a command.
"""

_USAGE: dict[str, tuple[str, str]] = {
    "cli.option_unknown": ("没有选项 {option};用 paicli --help 查看", "No option {option}; see paicli --help"),
    "cli.option_unknown_nearest": (
        "没有选项 {option};是不是 {nearest}?",
        "No option {option}; did you mean {nearest}?",
    ),
    "cli.option_not_yet": ("此版本还没有选项 {option}", "Option {option} is not in this version yet"),
    "cli.option_misplaced": ("选项 {option} 只能用于: {commands}", "Option {option} goes only with: {commands}"),
    "cli.command_unknown": (
        "没有命令 {command};要直接提问请用 paicli -p 'TEXT'",
        "No command {command}; to ask something use paicli -p 'TEXT'",
    ),
    "cli.command_unknown_nearest": (
        "没有命令 {command};是不是 {nearest}?",
        "No command {command}; did you mean {nearest}?",
    ),
    "cli.command_not_yet": ("此版本还没有命令 {command}", "Command {command} is not in this version yet"),
    "cli.value_missing": ("选项 {option} 需要一个值 {metavar}", "Option {option} needs a value {metavar}"),
    "cli.value_unwanted": ("选项 {option} 不带值", "Option {option} takes no value"),
    "cli.value_not_a_choice": (
        "选项 {option} 的值 {value} 无效,可用: {choices}",
        "Option {option} can't be {value}; it is one of: {choices}",
    ),
    "cli.value_not_a_count": (
        "选项 {option} 的值 {value} 无效,应为不小于 1 的整数",
        "Option {option} can't be {value}; it is a whole number from 1",
    ),
    "cli.argument_missing": ("paicli {command} 需要参数 {metavar}", "paicli {command} needs {metavar}"),
    "cli.argument_extra": (
        "多余的参数: {argument}(文字里有空格时请加引号)",
        "Unexpected argument: {argument} (put text with spaces in quotes)",
    ),
    "cli.text_missing": (
        "没有要处理的文字:用 -p TEXT 给出,或从管道输入",
        "Nothing to do: give a text with -p TEXT, or pipe one in",
    ),
    "cli.text_not_a_turn": (
        "{text} 只能在交互会话中使用",
        "{text} works only in the interactive session",
    ),
    "cli.stdout_closed": ("标准输出已关闭,答案无处可写", "Standard output is closed: the answer has nowhere to go"),
    "cli.stdout_failed": ("无法写入标准输出: {what}", "Can't write to standard output: {what}"),
    "cli.stdin_cut": (
        "标准输入超过 {limit} 字节,其余部分未读取",
        "Standard input was cut after {limit} bytes",
    ),
    "cli.file_unreadable": ("无法读取 {path}: {what}", "Can't read {path}: {what}"),
    "cli.file_unwritable": ("无法写入 {path}: {what}", "Can't write {path}: {what}"),
    "cli.plan_file_invalid": ("{path}: {reason}", "{path}: {reason}"),
    "cli.plan_file_invalid_at": ("{path}:{line}:{column}: {reason}", "{path}:{line}:{column}: {reason}"),
    "cli.error": ("paicli: {text}", "paicli: {text}"),
    "cli.warning": ("paicli: 警告: {text}", "paicli: warning: {text}"),
}

_HELP: dict[str, tuple[str, str]] = {
    "cli.help.head": (
        "paicli: 先规划、再动手的终端编程助手\n\n用法:\n",
        "paicli: an interactive coding agent for the terminal that plans before it acts\n\nUsage:\n",
    ),
    "cli.help.options": ("\n选项:\n", "\nOptions:\n"),
    "cli.help.session": ("在当前目录打开交互会话", "an interactive session in the current folder"),
    "cli.help.print": (
        "不需要人参与,执行一轮;答案写到标准输出",
        "one turn without a person; the answer goes to standard output",
    ),
    "cli.help.plan": ("只生成并打印计划", "only make a plan, and print it"),
    "cli.help.run": ("审阅并执行已存储的计划", "review and run a stored plan"),
    "cli.help.demo": ("演示:不需要网络和密钥", "the demo: no network, no key"),
    "cli.help.config": ("查看或修改配置(密钥会被遮盖)", "show or change the configuration (keys are masked)"),
    "cli.help.trust": (
        "查看目录带来的文件,信任、拒绝或忘记它们",
        "show what the folder brings; trust, refuse or forget it",
    ),
    "cli.help.doctor": ("检查配置、模型接口和终端", "check the configuration, the model and the terminal"),
    "cli.help--offline": ("不发送任何请求(用于 doctor)", "send no request (with doctor)"),
    "cli.help--print": (
        "执行一轮 TEXT(如 '/plan x');- 表示读标准输入,管道内容会附在后面",
        "one turn for TEXT ('/plan x' works); - reads standard input; piped text is added",
    ),
    "cli.help--yes": (
        "不审阅,直接执行计划(用于 -p、run、demo)",
        "take plans as they are, without a review (with -p, run, demo)",
    ),
    "cli.help--output-format": (
        "输出格式 text、json 或 stream-json(用于 -p、run)",
        "text, json or stream-json (with -p, run)",
    ),
    "cli.help--out": ("写入 FILE(用于 plan、bugreport)", "the file to write (with plan, bugreport)"),
    "cli.help--mode": ("auto、plan 或 ask,默认 auto", "auto, plan or ask; auto by default"),
    "cli.help--model": (
        "使用的模型;replay:FILE 从录制的对话回放",
        "the model to use; replay:FILE answers from a recorded conversation",
    ),
    "cli.help--base-url": ("模型接口地址", "the endpoint's base URL"),
    "cli.help--allowed-tools": (
        "无需批准的调用,如 'execute_command(git diff:*)';'*' 表示全部",
        "calls that need no approval, as 'execute_command(git diff:*)'; '*' for all",
    ),
    "cli.help--disallowed-tools": ("拒绝的调用,写法同上", "calls that are refused, written likewise"),
    "cli.help--tools": ("只提供这些工具,逗号分隔", "only these tools exist, separated by commas"),
    "cli.help--append-system-prompt": ("追加到系统提示词的文字", "text to add to the system prompt"),
    "cli.help--add-dir": (
        "项目之外也可访问的目录,可重复",
        "a folder outside the project to work in too; may be repeated",
    ),
    "cli.help--record": (
        "把与模型的对话录到新文件 FILE,可用 --model replay:FILE 回放",
        "record the conversation with the model in a new FILE, for --model replay:FILE",
    ),
    "cli.help--json": ("输出 JSON(用于 verify、sessions)", "print JSON (with verify, sessions)"),
    "cli.help.verify": (
        "按规则校验一个会话的日志(0 没有违反;1 有违反;2 无法判定)",
        "check a session's journal against the rules (0 kept; 1 violated; 2 can't be judged)",
    ),
    "cli.help.bugreport": (
        "把一个会话打包成一个可回放、已遮盖密钥的文件(默认最新的会话)",
        "pack a session, keys masked, into one file that replays (the newest by default)",
    ),
    "cli.help--max-turns": ("一轮最多 N 步", "at most N steps a turn"),
    "cli.help--cd": ("以 DIR 为项目目录", "work in DIR"),
    "cli.help--lang": ("界面语言 zh 或 en", "interface language, zh or en"),
    "cli.help--verbose": (
        "在标准错误输出中也显示模型的思考(用于 -p、plan、run)",
        "tell what the model thinks on standard error too (with -p, plan, run)",
    ),
    "cli.help--version": ("显示版本", "print the version"),
    "cli.help--help": ("显示本说明", "print this"),
    "cli.help.statuses": (
        "\n退出码: 0 完成;1 本轮失败或只完成一部分;2 用法或配置错误;3 停下等待审阅;75 模型暂时无法连接;130 已取消\n",
        "\nExit status: 0 done; 1 the turn failed or is only partly done; 2 wrong usage or configuration; "
        "3 stopped for review; 75 the model could not be reached, worth trying again; 130 cancelled\n",
    ),
}

_PROGRESS: dict[str, tuple[str, str]] = {
    "cli.partial": ("只完成了一部分", "Only partly done"),
    "cli.plan_written": ("计划已写入 {path}", "The plan was written to {path}"),
}

_DEMO: dict[str, tuple[str, str]] = {
    "demo.first_line": (
        "演示: 模型的回复是事先准备好的;规划、校验、审阅、并行调度和工具都是真的。",
        "Demo: the model's replies are prepared; planner, validation, review, scheduler and tools are real.",
    ),
    "demo.last_lines": (
        "这就是一次完整的 Plan-and-Execute。要用真实的模型:\n"
        "  设置密钥变量之一: {variables}\n"
        "  或自选接口: PAICLI_BASE_URL=https://… PAICLI_MODEL=… PAICLI_API_KEY=…\n"
        "  然后在项目目录里运行: paicli",
        "That was a whole Plan-and-Execute run. To use a real model:\n"
        "  set one of the key variables: {variables}\n"
        "  or any endpoint: PAICLI_BASE_URL=https://… PAICLI_MODEL=… PAICLI_API_KEY=…\n"
        "  then run, in your project: paicli",
    ),
    "demo.last_lines_unfinished": (
        "要用真实的模型:\n"
        "  设置密钥变量之一: {variables}\n"
        "  或自选接口: PAICLI_BASE_URL=https://… PAICLI_MODEL=… PAICLI_API_KEY=…\n"
        "  然后在项目目录里运行: paicli",
        "To use a real model:\n"
        "  set one of the key variables: {variables}\n"
        "  or any endpoint: PAICLI_BASE_URL=https://… PAICLI_MODEL=… PAICLI_API_KEY=…\n"
        "  then run, in your project: paicli",
    ),
    "demo.goal": (
        "请把任务拆成可并行的 DAG:\n"
        "1. 读取 pom.xml\n"
        "2. 列出 src/main/java 下的文件\n"
        "3. 列出 src/test/java 下的文件\n"
        "4. 读取 README.md 的前 80 行\n"
        "5. 最后汇总以上结果,告诉我这个项目的构建方式、源码结构和测试情况。\n"
        "要求:前 4 个任务彼此独立并行执行,最后 1 个任务依赖前 4 个任务。",
        "Please split the work into a DAG that can run in parallel:\n"
        "1. read pom.xml\n"
        "2. list the files under src/main/java\n"
        "3. list the files under src/test/java\n"
        "4. read the first 80 lines of README.md\n"
        "5. at the end sum up these results: how the project is built, how its sources are laid out, what is tested.\n"
        "The first 4 tasks are independent and run in parallel; the last one depends on all 4.",
    ),
}

TEXTS: dict[str, tuple[str, str]] = {**_USAGE, **_HELP, **_PROGRESS, **_DEMO}
