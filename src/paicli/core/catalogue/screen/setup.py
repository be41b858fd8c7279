"""What a person reads about the first start, the configuration and the doctor; code → (zh, en)."""

_CONFIG: dict[str, tuple[str, str]] = {
    "config.usage": (
        "用法: paicli config | config path | config get KEY | config set KEY VALUE",
        "Usage: paicli config | config path | config get KEY | config set KEY VALUE",
    ),
    "config.key_unknown": (
        "没有配置项 {key};可用: {known}",
        "No setting {key}; there are: {known}",
    ),
    "config.key_unknown_nearest": ("没有配置项 {key};是不是 {nearest}?", "No setting {key}; did you mean {nearest}?"),
    "config.value_missing": ("{key} 需要一个值", "{key} needs a value"),
    "config.secret_in_argv": (
        "密钥不要写在命令行里(别的进程看得到);请用 paicli config set {key},然后在提示处粘贴,或从管道输入",
        "A key doesn't go on the command line, where other processes see it: use paicli config set {key} and paste it"
        " when asked, or pipe it in",
    ),
    "config.hidden_prompt": ("{key}(不显示): ", "{key} (not shown): "),
    "config.not_written": ("没有写入任何内容", "Nothing was written"),
    "config.written": ("已写入 {path}: {key}", "Written to {path}: {key}"),
    "config.overruled": (
        "目前 {source} 优先于它",
        "For now {source} wins over it",
    ),
    "config.source_default": ("默认值", "default"),
    "config.source_locale": ("系统语言环境", "locale"),
    "config.source_row": ("{provider} 的默认值", "default of {provider}"),
    "config.model_missing": ("# 模型: {reason}", "# model: {reason}"),
}

_SETUP: dict[str, tuple[str, str]] = {
    "setup.welcome": (
        "还没有可用的模型。下面选一个,密钥只保存在 {path}(仅本人可读)。",
        "No model is set up yet. Choose one; its key is kept in {path} only, readable by you alone.",
    ),
    "setup.looking": ("正在查找本机的模型服务……", "Looking for model servers on this machine…"),
    "setup.which": ("选择模型服务", "Choose a provider"),
    "setup.found": ("{provider}(本机 {address}): {models}", "{provider} (on this machine, {address}): {models}"),
    "setup.found_empty": (
        "{provider} 在 {address} 运行,但还没有模型",
        "{provider} runs at {address}, but has no model yet",
    ),
    "setup.provider": ("{provider}  {model}", "{provider}  {model}"),
    "setup.provider_own": (
        "custom  任何 OpenAI 兼容接口: 填地址和模型",
        "custom  any OpenAI-compatible endpoint: you name address and model",
    ),
    "setup.demo": ("先看演示(不需要网络和密钥)", "See the demo first (no network, no key)"),
    "setup.quit": ("退出", "Quit"),
    "setup.number": ("输入 1-{count} [{preset}]: ", "1-{count} [{preset}]: "),
    "setup.number_or_name": ("输入 1-{count} 或名称 [{preset}]: ", "1-{count} or a name [{preset}]: "),
    "setup.number_wrong": ("请输入 1 到 {count} 之间的数字", "A number from 1 to {count}, please"),
    "setup.key": (
        "{provider} 的 API key(粘贴即可,不显示;ESC 返回): ",
        "API key of {provider} (paste it, it is not shown; ESC goes back): ",
    ),
    "setup.key_optional": (
        "API key(不显示;不需要就直接回车;ESC 返回): ",
        "API key (not shown; just Enter where none is needed; ESC goes back): ",
    ),
    "setup.key_source": ("输入", "your input"),
    "setup.base_url": ("接口地址,通常以 /v1 结尾: ", "Base URL, mostly ending in /v1: "),
    "setup.base_url_preset": ("接口地址 [{preset}]: ", "Base URL [{preset}]: "),
    "setup.model": ("模型名: ", "Model name: "),
    "setup.model_preset": ("模型名 [{preset}]: ", "Model name [{preset}]: "),
    "setup.which_model": ("选择模型", "Choose a model"),
    "setup.models_left": ("还有 {count} 个: 输入名称", "{count} more: type the name"),
    "setup.number_or_model": ("输入编号或任何模型名 [{preset}]: ", "A number or any model's name [{preset}]: "),
    "setup.model_wrong": (
        "请输入 1 到 {count} 之间的数字,或模型名",
        "A number from 1 to {count}, or a model's name, please",
    ),
    "setup.model_near": (
        "列表里没有 {typed},最接近的是 {nearest}: 回车采用它;就要 {typed},再输入一次",
        "{typed} is not listed; the nearest is {nearest}: Enter takes it. To have {typed}, type it again",
    ),
    "setup.asking_models": (
        "正在询问 {url} 有哪些模型(ESC 跳过)……",
        "Asking {url} which models it has (ESC skips that)…",
    ),
    "setup.trying": (
        "正在试用 {provider} · {model},最多 {seconds} s(ESC 取消)……",
        "Trying {provider} · {model}, {seconds} s at most (ESC cancels)…",
    ),
    "setup.answered": (
        "✓ {model} 在 {seconds} s 内回复: {text}",
        "✓ {model} answered within {seconds} s: {text}",
    ),
    "setup.answered_empty": (
        "✓ {model} 在 {seconds} s 内回复(没有文字)",
        "✓ {model} answered within {seconds} s (without a word)",
    ),
    "setup.slow": (
        "✓ {model} 开始回复了,但 {seconds} s 内没有说完: 能用,只是慢",
        "✓ {model} began to answer, but wasn't done within {seconds} s: it works, slowly",
    ),
    "setup.failed": ("✗ {reason}", "✗ {reason}"),
    "setup.cancelled": ("已取消这次试用", "The try was cancelled"),
    "setup.overruled": (
        "{source} 指定了 {provider},优先于这里的选择;请先取消它",
        "{source} names {provider} and wins over what is chosen here: unset it first",
    ),
    "setup.what_now": ("接下来", "What now"),
    "setup.again": ("再试一次", "Try again"),
    "setup.other_key": ("换一个 key", "Another key"),
    "setup.other_model": ("换一个模型名", "Another model name"),
    "setup.other_url": ("换一个接口地址", "Another base URL"),
    "setup.other_provider": ("换一个模型服务", "Another provider"),
    "setup.keep_anyway": ("不试了,照样保存", "Keep it untried"),
    "setup.stored": ("已保存到 {path}。以后用 paicli config 修改。", "Kept in {path}. Change it with paicli config."),
    "setup.left": ("没有保存任何内容。", "Nothing was kept."),
}

_DOCTOR: dict[str, tuple[str, str]] = {
    "doctor.ok": ("正常", "ok  "),
    "doctor.warn": ("注意", "warn"),
    "doctor.bad": ("异常", "bad "),
    "doctor.usable": ("paicli 可以使用。", "paicli is ready to work."),
    "doctor.unusable": ("有 {count} 项需要处理,paicli 才能工作。", "To be mended before paicli can work: {count}"),
    "session.doctor_usage": ("用法: /doctor [offline]", "Usage: /doctor [offline]"),
    "doctor.python": ("Python {version}", "Python {version}"),
    "doctor.version": ("paicli {version}", "paicli {version}"),
    "doctor.home": ("目录 {path} 可写,仅本人可进入", "folder {path} is writable, and yours alone"),
    "doctor.home_new": ("目录 {path} 尚不存在,需要时会创建", "folder {path} is not there yet; it is made when needed"),
    "doctor.home_open": (
        "目录 {path} 对其他用户开放({mode}): 运行 chmod 700 {path}",
        "folder {path} is open to other users ({mode}): run chmod 700 {path}",
    ),
    "doctor.home_unwritable": (
        "目录 {path} 不可写: 修正它的权限,或用 PAICLI_HOME 指定别处",
        "folder {path} can't be written: mend its rights, or name another with PAICLI_HOME",
    ),
    "doctor.config": ("配置 {path} 可读", "configuration {path} is readable"),
    "doctor.config_none": ("没有配置文件(不是必需的)", "no configuration file (none is needed)"),
    "doctor.config_open": (
        "配置 {path} 里有密钥,却对其他用户可读({mode}): 运行 chmod 600 {path}",
        "configuration {path} holds a key and is readable by others ({mode}): run chmod 600 {path}",
    ),
    "doctor.model": (
        "模型 {provider} · {model},接口 {url}",
        "model {provider} · {model} at {url}",
    ),
    "doctor.key": ("密钥来自 {source}", "key from {source}"),
    "doctor.key_none": ("{provider} 不需要密钥", "{provider} wants no key"),
    "doctor.replay": ("模型是录制的对话 {path},不需要网络", "the model is the recording {path}: no network"),
    "doctor.replay_missing": ("录制文件 {path} 不存在", "the recording {path} is not there"),
    "doctor.endpoint": ("接口有应答,{seconds} s", "the endpoint answers, {seconds} s"),
    "doctor.slow": (
        "接口开始应答,但 {seconds} s 内没有说完: 能用,只是慢",
        "the endpoint began to answer, but wasn't done within {seconds} s: it works, slowly",
    ),
    "doctor.streaming": ("流式输出正常({count} 段)", "streaming works ({count} pieces)"),
    "doctor.not_streaming": (
        "回复是一次性到达的: 可能有代理或网关在缓冲,看不到逐字输出",
        "the reply came in one piece: a proxy or gateway may hold the stream back",
    ),
    "doctor.tool_call": ("工具调用正常", "a tool call came back as it should"),
    "doctor.no_tool_call": (
        "模型没有调用工具,只回复了文字: 它不能修改文件或执行命令,请换一个支持工具调用的模型",
        "the model called no tool and only talked: it can't edit or run anything; take one that supports tool calls",
    ),
    "doctor.wrong_tool_name": (
        "模型调用了并不存在的工具 {name}: 请换一个更能遵守格式的模型",
        "the model called {name}, a tool that isn't there: take one that keeps to the format",
    ),
    "doctor.wrong_tool_arguments": (
        "工具调用的参数不是所要求的 JSON: 请换一个更能遵守格式的模型",
        "the tool call's arguments are not the JSON that was asked for: take a model that keeps to the format",
    ),
    "doctor.json": ("JSON 模式正常", "JSON mode works"),
    "doctor.json_wrong": (
        "JSON 模式的回复不是 JSON: 计划可能失败,可以换一个模型",
        "in JSON mode no JSON came: plans may fail; another model may do better",
    ),
    "doctor.offline": ("没有检查网络部分(--offline)", "the network was left out (--offline)"),
    "doctor.git": ("git {path}", "git {path}"),
    "doctor.git_none": ("没有找到 git: 快照和撤销不可用", "git was not found: no snapshots, no undo"),
    "doctor.rg": ("ripgrep {path}", "ripgrep {path}"),
    "doctor.rg_none": (
        "没有找到 ripgrep(rg): 搜索照常工作,只是慢;可用 pip install 'paicli[rg]' 安装",
        "ripgrep (rg) was not found: searches work, only slower; pip install 'paicli[rg]' brings it",
    ),
    "doctor.terminal": ("终端 {term},{columns} 列", "terminal {term}, {columns} columns"),
    "doctor.terminal_narrow": (
        "终端 {term} 只有 {columns} 列: 40 列以上更好读",
        "terminal {term} has only {columns} columns: 40 or more read better",
    ),
    "doctor.terminal_none": (
        "不在终端里(或 TERM=dumb): 会话按行模式进行",
        "no terminal (or TERM=dumb): the session goes line by line",
    ),
    "doctor.colors": ("颜色: {colors}", "colours: {colors}"),
    "doctor.colors_none": ("不用颜色({reason})", "no colours ({reason})"),
    "doctor.encoding": ("编码 {encoding}", "encoding {encoding}"),
    "doctor.encoding_wrong": (
        "编码 {encoding} 显示不了中文和符号: 设置 LANG=C.UTF-8,或 paicli config set ui.ascii true",
        "encoding {encoding} can't show every character: set LANG=C.UTF-8, or paicli config set ui.ascii true",
    ),
    "doctor.paste": ("支持带标记的粘贴", "bracketed paste"),
    "doctor.paste_unknown": (
        "终端 {term} 可能不支持带标记的粘贴: 多行粘贴靠按键间隔识别",
        "terminal {term} may not mark what is pasted: pasted lines are told by their speed",
    ),
    "doctor.sandbox": ("沙箱工具 {path}", "sandbox tool {path}"),
    "doctor.sandbox_none": (
        "没有找到沙箱工具 {name}: 需要隔离命令时请先安装",
        "the sandbox tool {name} was not found: install it where commands are to be confined",
    ),
}

TEXTS: dict[str, tuple[str, str]] = {**_CONFIG, **_SETUP, **_DOCTOR}
