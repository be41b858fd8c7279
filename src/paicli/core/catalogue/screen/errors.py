"""What a person reads about errors; code → (zh, en)."""

_AT = "{path}:{line}:{column}: {key}: "

_GENERIC: dict[str, tuple[str, str]] = {
    "error.unexpected": ("意外错误 {kind}: {what}", "Unexpected error {kind}: {what}"),
    "error.unexpected_logged": (
        "意外错误 {kind}: {what};详情见 {log}",
        "Unexpected error {kind}: {what}; details in {log}",
    ),
    "turn.cancelled": ("已取消", "Cancelled"),
}

_SETTINGS: dict[str, tuple[str, str]] = {
    "settings.no_model": (
        "还没有配置模型:设置一个密钥变量(如 {variables}),或 PAICLI_BASE_URL + PAICLI_MODEL + PAICLI_API_KEY,"
        "或写入 {path} 的 [model];想先看看效果,运行 paicli demo",
        "No model is configured: set a key variable (such as {variables}), or PAICLI_BASE_URL + PAICLI_MODEL + "
        "PAICLI_API_KEY, or fill [model] in {path}; to see paicli work first, run paicli demo",
    ),
    "settings.no_base_url": (
        "没有接口地址:{provider} 需要 --base-url 或 PAICLI_BASE_URL",
        "{provider} needs a base URL: use --base-url or PAICLI_BASE_URL",
    ),
    "settings.no_key": (
        "{provider} 没有 API 密钥:请设置 {variables}",
        "No API key for {provider}: set {variables}",
    ),
    "settings.variable_wants": (
        "环境变量 {variable} 的值 {value} 无效,应为 {wanted}",
        "Environment variable {variable} can't be {value}; it is {wanted}",
    ),
    "settings.folder_missing": ("{option}: 没有目录 {path}", "{option}: no folder {path}"),
    "settings.tool_unknown": ("没有工具 {name};可用: {known}", "No tool {name}; there are: {known}"),
    "settings.no_current_folder": ("当前目录已不存在", "The current folder is gone"),
    "settings.home_unwritable": ("无法使用 {path}: {reason}", "Can't use {path}: {reason}"),
    "settings.config_no_file": ("{path}: 不是普通文件", "{path}: not a regular file"),
    "settings.config_too_large": ("{path}: 过大({size_bytes} 字节)", "{path}: too large ({size_bytes} bytes)"),
    "settings.config_unreadable": ("无法读取 {path}: {what}", "Can't read {path}: {what}"),
    "settings.config_unwritable": ("无法写入 {path}: {what}", "Can't write {path}: {what}"),
    "settings.config_locked": (
        "{path}: 另一个进程正在修改它,等了 2 秒仍未结束;文件没有改动",
        "{path}: another process is changing it and was not done after 2 s; nothing was written",
    ),
    "settings.config_shape": (
        "{path}: 无法自动修改 {key}(表的写法太特殊),请手工编辑",
        "{path}: {key} can't be changed automatically (its tables are written in an unusual way): edit it by hand",
    ),
    "settings.config_not_utf8": ("{path}:{line}:{column}: 不是 UTF-8 编码", "{path}:{line}:{column}: not UTF-8"),
    "settings.config_too_deep": ("{path}: 嵌套过深", "{path}: nested too deep"),
    "settings.config_syntax": (_AT + "不是合法的 TOML: {what}", _AT + "not valid TOML: {what}"),
    "settings.config_syntax_bare": (
        "{path}:{line}:{column}: 不是合法的 TOML: {what}",
        "{path}:{line}:{column}: not valid TOML: {what}",
    ),
    "settings.config_key_unknown": (_AT + "没有这个配置项", _AT + "no such key"),
}

_WANTED: dict[str, tuple[str, str]] = {
    "a_string": ("应为字符串", "a string is wanted"),
    "a_switch": ("应为 true 或 false", "true or false is wanted"),
    "seconds": ("应为秒数(大于 0)", "a number of seconds above 0 is wanted"),
    "a_count": ("应为不小于 1 的整数", "a whole number from 1 is wanted"),
    "a_price": ("应为 0 到 100000 的数(美元/百万 token)", "US dollars per million tokens are wanted, 0 to 100000"),
    "usd": ("应为大于 0 的美元金额", "an amount in US dollars above 0 is wanted"),
    "strings": ("应为字符串数组", "an array of strings is wanted"),
    "headers": (
        "应为请求头的表: 名字和值都是可打印的 ASCII 字符串",
        "a table of headers is wanted: names and values are strings of printable ASCII",
    ),
    "json_table": (
        "应为 JSON 能写下的表: 不能有日期、时间、nan 或 inf",
        "a table that JSON can hold is wanted: no dates or times, no nan or inf",
    ),
    "a_table": ("应为表 [{key}]", "a table [{key}] is wanted"),
    "temperature": ("应为 0 到 2 的数", "a number from 0 to 2 is wanted"),
    "mode": ("应为 auto、plan 或 ask", "auto, plan or ask is wanted"),
    "language": ("应为 zh 或 en", "zh or en is wanted"),
    "theme": ("应为 dark、light 或 none", "dark, light or none is wanted"),
    "sandbox": ("应为 off、workspace 或 strict", "off, workspace or strict is wanted"),
    "notify": ("应为 off、bell 或 all", "off, bell or all is wanted"),
    "search": (
        "应为 zhipu、serpapi、searxng、tavily、brave 或 off",
        "zhipu, serpapi, searxng, tavily, brave or off is wanted",
    ),
    "parallel": ("应为 1 到 4 的整数", "a whole number from 1 to 4 is wanted"),
    "keep_days": ("应为 0 到 36500 的整数 (0: 永久保留)", "wants a whole number from 0 to 36500 (0: kept for ever)"),
    "replans": ("应为 0 到 100 的整数", "a whole number from 0 to 100 is wanted"),
}
"""What belongs in the place of a wrong value."""

TEXTS: dict[str, tuple[str, str]] = {
    **_GENERIC,
    **_SETTINGS,
    **{f"settings.config_wants_{name}": (_AT + zh, _AT + en) for name, (zh, en) in _WANTED.items()},
    **{f"settings.value_wants_{name}": ("{key}: " + zh, "{key}: " + en) for name, (zh, en) in _WANTED.items()},
}
