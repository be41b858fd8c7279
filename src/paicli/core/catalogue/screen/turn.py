"""What a person reads about the end of a turn; code → (zh, en)."""

TEXTS: dict[str, tuple[str, str]] = {
    "loop.partial": ("⚠️ 部分完成({reason})\n{text}", "⚠️ Partly done ({reason})\n{text}"),
    "loop.reason_repetition": ("连续五步完全相同的调用", "five steps in a row made exactly the same calls"),
    "loop.reason_cycle": ("同样的几步反复了五次", "the same few steps came five times over"),
    "loop.reason_steps": ("达到步数上限", "the limit of steps was reached"),
    "loop.reason_tokens": ("达到 token 上限", "the limit of tokens was reached"),
    "loop.reason_output_limit": ("模型的输出达到长度上限", "the model reached its output limit"),
    "loop.reason_content_filter": (
        "回答被模型服务的内容过滤截断",
        "the provider's content filter broke the answer off",
    ),
    "llm.empty_reply": (
        "模型两次都没有给出内容。换个说法,或用 /model 换一个模型。",
        "The model gave no answer, twice. Put it differently, or choose another model.",
    ),
    "session.journal_stopped": (
        "会话记录 {path} 无法写入: {reason};会话继续,但从这里起不再记录",
        "The session's record {path} can't be written: {reason}; the session goes on, unrecorded from here",
    ),
    "session.rules_outside": (
        "项目规则 {path} 是指向项目之外的链接,没有读入",
        "The project rules {path} are a link that leads out of the project: not read",
    ),
    "session.rules_unreadable": (
        "项目规则 {path} 不是可读的文本文件,没有读入",
        "The project rules {path} are no text file that can be read: not read",
    ),
    "session.rules_hidden": (
        "项目规则 {path} 含有 {count} 个不可见的标签字符,已去掉",
        "The project rules {path} held {count} invisible tag characters, which were taken out",
    ),
    "settings.tool_unknown": ("没有名为 {name} 的工具。可用: {known}", "No tool is called {name}. There are: {known}"),
    "settings.prompt_missing": (
        "缺少提示词文件 {name},找过: {folders}。请重新安装 paicli。",
        "The prompt file {name} is missing; looked in {folders}. Please reinstall paicli.",
    ),
    "settings.prompt_unreadable": (
        "读不了提示词文件 {path}: {reason}",
        "Can't read the prompt file {path}: {reason}",
    ),
    "settings.prompt_no_file": (
        "提示词文件 {path} 不是普通文件",
        "The prompt file {path} is no regular file",
    ),
    "settings.prompt_too_large": (
        "提示词文件 {path} 过大(上限 {limit_bytes} 字节)",
        "The prompt file {path} is too large (at most {limit_bytes} bytes)",
    ),
    "settings.prompt_not_utf8": (
        "提示词文件 {path} 第 {line} 行不是 UTF-8 编码",
        "The prompt file {path} is not UTF-8 in line {line}",
    ),
    "settings.home_unwritable": (
        "写不了 {path}: {reason}。请检查权限,或用 PAICLI_HOME 指定另一个目录。",
        "Can't write {path}: {reason}. Check its permissions, or name another folder by PAICLI_HOME.",
    ),
}
