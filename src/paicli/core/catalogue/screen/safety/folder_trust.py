"""What a person reads about trust of a folder; code → (zh, en)."""

_AT = "{path}:{line}:{column}: {key}: "

TEXTS: dict[str, tuple[str, str]] = {
    "trust.title": (
        "{path} 带来了会影响 paicli 的文件:",
        "{path} brings files that paicli would act on:",
    ),
    "trust.title_changed": (
        "{path} 中你信任过的文件有变化:",
        "Files that you trusted in {path} have changed:",
    ),
    "trust.row": ("  {name}: {does}", "  {name}: {does}"),
    "trust.row_new": ("  {name}(新增): {does}", "  {name} (new): {does}"),
    "trust.row_changed": ("  {name}(有改动): {does}", "  {name} (changed): {does}"),
    "trust.row_gone": ("  {name}(已删除)", "  {name} (gone)"),
    "trust.rows_more": ("  …… 还有 {count} 个", "  … and {count} more"),
    "trust.does_env": ("设置 {names}", "sets {names}"),
    "trust.does_config": ("设置 {keys}", "sets {keys}"),
    "trust.does_hooks": ("{count} 个钩子会运行命令: {commands}", "{count} hooks run commands: {commands}"),
    "trust.does_server": (
        "以后会启动或连接 {name}: {target}(此版本还不使用 MCP)",
        "will start or connect {name}: {target} (this version does not use MCP yet)",
    ),
    "trust.does_command": ("增加命令 /{name}", "adds the command /{name}"),
    "trust.does_skill": ("技能,带 {count} 个非文本文件: {names}", "a skill with {count} files beside text: {names}"),
    "trust.does_unreadable": ("内容无法识别", "its content can't be made out"),
    "trust.note": (
        "在你同意之前,这些文件都不会被使用;之后一有改动会再问。",
        "None of it is used before you say so; once it changes you are asked again.",
    ),
    "trust.question": ("信任这些文件吗?", "Do you trust these files?"),
    "trust.choice_no": ("no     这次不用它们", "no     not this time"),
    "trust.choice_yes": ("yes    信任,就按现在的内容", "yes    as they are now"),
    "trust.choice_block": ("block  在此目录永不使用,也不再问", "block  never in this folder, and don't ask again"),
    "trust.answer": ("输入 no、yes 或 block [no]: ", "no, yes or block [no]: "),
    "trust.ignored": (
        "未信任此目录,忽略: {names}(查看或信任: paicli trust)",
        "this folder is not trusted, ignored: {names} (to see or trust it: paicli trust)",
    ),
    "trust.ignored_changed": (
        "信任之后有变化,忽略: {names};变化的是 {changed}(查看或信任: paicli trust)",
        "changed since it was trusted, ignored: {names}; what changed: {changed} (to see or trust it: paicli trust)",
    ),
    "trust.not_kept": (
        "无法写入 {path}: {reason};回答只对这一次有效",
        "Can't keep it in {path}: {reason}; the answer holds this time only",
    ),
    "trust.outside": ("{path}: 链接指向目录之外,不使用", "{path}: a link that leads out of the folder; not used"),
    "trust.unreadable": ("{path}: 无法读取,不使用", "{path}: can't be read; not used"),
    "trust.too_large": ("{path}: 超过 {limit} 字节,不使用", "{path}: more than {limit} bytes; not used"),
    "trust.too_many": ("{path}: 超过 {limit} 个文件,不使用", "{path}: more than {limit} files; not used"),
    "trust.usage": (
        "用法: paicli trust | trust yes | trust no | trust forget | trust list",
        "Usage: paicli trust | trust yes | trust no | trust forget | trust list",
    ),
    "trust.none": ("{path}: 没有需要信任的文件", "{path}: there is nothing to trust"),
    "trust.state_yes": ("已信任,内容未变", "trusted, and unchanged since"),
    "trust.state_changed": ("信任之后有变化,现在不使用", "changed since it was trusted, not used now"),
    "trust.state_never": ("不使用,也不再问", "never used, and not asked about"),
    "trust.state_open": ("尚未决定,不使用", "not decided, not used"),
    "trust.kept_yes": ("已信任 {path}", "{path} is trusted"),
    "trust.kept_no": ("{path} 的文件不会被使用", "Files of {path} will not be used"),
    "trust.kept_forgotten": ("{path}: 下次启动会再问", "{path}: asked again at the next start"),
    "trust.list_row": ("{answer}  {path}", "{answer}  {path}"),
    "trust.list_none": ("还没有任何回答", "No answers yet"),
    "doctor.trust": ("信任目录 {path}", "the folder {path} is trusted"),
    "doctor.trust_none": (
        "未使用此目录的 {names}: 没有信任(paicli trust)",
        "not used of this folder: {names}; it is not trusted (paicli trust)",
    ),
    "settings.env_quote": (
        _AT + "引号没有闭合,或之后还有多余的内容",
        _AT + "the quote is not closed, or something follows it",
    ),
    "settings.env_unknown": (
        _AT + "paicli 不从 .env 读取这个变量",
        _AT + "paicli doesn't read this variable from .env",
    ),
    "settings.config_key_own_only": (
        "{path}: {key}: 只能写在自己的 config.toml 里,忽略",
        "{path}: {key}: only your own config.toml may say that; ignored",
    ),
    "settings.key_to_other_host": (
        "{source} 会把你自己的密钥({key})发往 {host}:已拒绝。让项目带上自己的密钥,或用 paicli trust no 不用它",
        "{source} would send your own key ({key}) to {host}: refused. Give the project a key of its own, or leave its"
        " files aside with paicli trust no",
    ),
    "settings.key_elsewhere": (
        "{key} 的密钥是给 {usual} 的,按 {source} 现在会发往 {host}",
        "the key of {key} is one for {usual}; by {source} it now goes to {host}",
    ),
}
