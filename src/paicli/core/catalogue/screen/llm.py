"""What a person reads about the model's endpoint; code → (zh, en). At most three lines each.

`said` is ": " and the server's own words on one line, or nothing.
"""

TEXTS: dict[str, tuple[str, str]] = {
    # One line each, for the notice of a retry; `detail` is never empty.
    "llm.brief.unreachable": ("无法连接: {detail}", "no connection: {detail}"),
    "llm.brief.proxy_failed": ("代理出错: {detail}", "proxy failed: {detail}"),
    "llm.brief.connect_timeout": ("连接超时: {detail}", "connecting timed out: {detail}"),
    "llm.brief.silent": ("长时间没有数据: {detail}", "no data for too long: {detail}"),
    "llm.brief.stream_cut": ("回复中断: {detail}", "the reply broke off: {detail}"),
    "llm.brief.stream_error": ("回复中出错: {detail}", "error in the reply: {detail}"),
    "llm.brief.server_failed": ("服务出错: {detail}", "the server failed: {detail}"),
    "llm.brief.rate_limited": ("请求过于频繁或服务过载: {detail}", "too many requests or overloaded: {detail}"),
    "llm.unreachable": (
        "无法连接模型服务{said}\n地址: {url}\n请检查网络、代理(HTTPS_PROXY)和 base URL",
        "The model's server can't be reached{said}\nAddress: {url}\nCheck the network, the proxy (HTTPS_PROXY) and the"
        " base URL",
    ),
    "llm.proxy_failed": (
        "代理拒绝了连接{said}\n地址: {url}\n请检查 HTTPS_PROXY / HTTP_PROXY / NO_PROXY",
        "The proxy refused the connection{said}\nAddress: {url}\nCheck HTTPS_PROXY / HTTP_PROXY / NO_PROXY",
    ),
    "llm.certificate": (
        "服务器证书未通过验证{said}\n地址: {url}\n公司网络请用 SSL_CERT_FILE 指定 CA 证书",
        "The server's certificate was not accepted{said}\nAddress: {url}\nBehind a company proxy name its CA with"
        " SSL_CERT_FILE",
    ),
    "llm.not_tls": (
        "服务器不是以 TLS 应答的\n地址: {url}\n请检查 base URL: 本机或内网的服务多半是 http:// 而不是 https://",
        "The server does not answer in TLS\nAddress: {url}\nCheck the base URL: a server on this machine or network is"
        " mostly http:// and not https://",
    ),
    "llm.not_http": (
        "服务器的应答不是 HTTP\n地址: {url}\n请检查 base URL 的端口,以及应为 http:// 还是 https://",
        "What the server answered is no HTTP\nAddress: {url}\nCheck the base URL's port, and whether it is http:// or"
        " https://",
    ),
    "llm.connect_timeout": (
        "{seconds} s 内未能连接模型服务\n地址: {url}\n请检查网络、代理(HTTPS_PROXY)和 base URL",
        "No connection to the model's server within {seconds} s\nAddress: {url}\nCheck the network, the proxy"
        " (HTTPS_PROXY) and the base URL",
    ),
    "llm.silent": (
        "模型服务 {seconds} s 没有任何数据\n地址: {url}",
        "The model's server said nothing for {seconds} s\nAddress: {url}",
    ),
    "llm.overlong": (
        "一次模型请求超过了 {seconds} s 的总时限\n地址: {url}",
        "One model request took more than its whole limit of {seconds} s\nAddress: {url}",
    ),
    "llm.stream_cut": (
        "模型的回复在结束前中断了{said}\n地址: {url}",
        "The model's reply broke off before its end{said}\nAddress: {url}",
    ),
    "llm.stream_error": (
        "模型服务在回复中报告了错误{said}\n地址: {url}",
        "The model's server reported an error in its reply{said}\nAddress: {url}",
    ),
    "llm.server_failed": (
        "模型服务出错: HTTP {status} ({content_type}){said}\n地址: {url}\n多半是暂时的;否则请检查 base URL 和代理",
        "The model's server failed: HTTP {status} ({content_type}){said}\nAddress: {url}\nThis mostly passes; if it"
        " does not, check the base URL and the proxy",
    ),
    "llm.rate_limited": (
        "请求过于频繁或服务过载: HTTP {status}{said}\n地址: {url}\n请稍后再试,或减少并行任务",
        "Too many requests, or the server is overloaded: HTTP {status}{said}\nAddress: {url}\nTry later, or run fewer"
        " tasks at once",
    ),
    "llm.wait_too_long": (
        "模型服务要求 {wait} s 后再试,超过了 {limit} s 的上限,不再等待{said}\n地址: {url}",
        "The model's server wants a wait of {wait} s, over the limit of {limit} s: not waiting{said}\nAddress: {url}",
    ),
    "llm.quota_spent": (
        "账户额度已用完: HTTP {status}{said}\n地址: {url}\n请充值,或换一个模型",
        "The account's quota is used up: HTTP {status}{said}\nAddress: {url}\nTop it up, or take another model",
    ),
    "llm.key_refused": (
        "API key 未被接受: HTTP {status}{said}\n地址: {url}\n请检查 {keys},以及它是否属于这个 base URL",
        "The API key was not accepted: HTTP {status}{said}\nAddress: {url}\nCheck {keys}, and that it belongs to this"
        " base URL",
    ),
    "llm.forbidden": (
        "没有权限: HTTP {status}{said}\n地址: {url}\n请检查 {keys} 是否有权使用模型 {model}",
        "Not allowed: HTTP {status}{said}\nAddress: {url}\nCheck that {keys} may use the model {model}",
    ),
    "llm.not_found": (
        "找不到模型或地址: HTTP {status} ({content_type}){said}\n地址: {url}\n请检查模型名 {model} 和 base URL",
        "Model or address not found: HTTP {status} ({content_type}){said}\nAddress: {url}\nCheck the model's name"
        " {model} and the base URL",
    ),
    "llm.bad_request": (
        "模型服务拒绝了请求: HTTP {status} ({content_type}){said}\n地址: {url}\n请检查模型名 {model} 和 base URL",
        "The model's server refused the request: HTTP {status} ({content_type}){said}\nAddress: {url}\nCheck the model"
        " name {model} and the base URL",
    ),
    "llm.redirected": (
        "地址被重定向: HTTP {status} ({content_type}),未跟随\n地址: {url}\n请把 base URL 改成最终的地址",
        "The address redirects: HTTP {status} ({content_type}), not followed\nAddress: {url}\nSet the base URL to the"
        " final address",
    ),
    "llm.not_a_reply": (
        "返回的不是模型回复: HTTP {status} ({content_type})\n地址: {url}\n请检查 base URL(通常以 /v1 结尾)和代理",
        "What came is no model's reply: HTTP {status} ({content_type})\nAddress: {url}\nCheck the base URL (it mostly"
        " ends in /v1) and the proxy",
    ),
    "llm.reply_too_large": (
        "模型的回复超过 {limit_mb} MB,已停止读取\n地址: {url}",
        "The model's reply is larger than {limit_mb} MB: reading was stopped\nAddress: {url}",
    ),
    "llm.context_too_long": (
        "请求超出了模型 {model} 的上下文窗口{said}\n请用 /compact 压缩对话,或换一个窗口更大的模型",
        "The request does not fit the window of the model {model}{said}\nUse /compact, or take a model with a larger"
        " window",
    ),
    "llm.connection_settings": (
        "代理或证书的设置无法使用: {detail}\n请检查 HTTPS_PROXY、ALL_PROXY 和 SSL_CERT_FILE",
        "The proxy or certificate settings can't be used: {detail}\nCheck HTTPS_PROXY, ALL_PROXY and SSL_CERT_FILE",
    ),
    "llm.bad_base_url": (
        "base URL 不是 http(s) 地址: {detail}",
        "The base URL is no http(s) address: {detail}",
    ),
    "llm.bad_header": (
        "请求头 {name} 含有不可打印或非 ASCII 字符",
        "The request header {name} holds characters that are not printable ASCII",
    ),
    "llm.no_model": (
        "{provider} 没有默认模型,请用 --model 指定",
        "{provider} has no default model: name one with --model",
    ),
    "llm.unknown_provider": (
        "未知的模型服务: {name}。可用的有: {near}",
        "Unknown provider: {name}. There are: {near}",
    ),
    "llm.key_empty": ("API key 为空(来源: {source})", "The API key is empty (from: {source})"),
    "llm.key_malformed": (
        "API key 含有换行、空格或非 ASCII 字符(来源: {source})",
        "The API key holds a line break, a space or a character outside ASCII (from: {source})",
    ),
    "llm.replay_diverged": (
        "录制的对话里没有 {actor} 的第 {position} 个回复",
        "The recorded conversation holds no reply number {position} for {actor}",
    ),
    "llm.replay_cancelled": (
        "录制时 {actor} 的第 {position} 个请求被取消了,没有回复",
        "Request number {position} of {actor} was cancelled when it was recorded: there is no reply",
    ),
    "llm.replay_differs": (
        "回放从 {actor} 的第 {position} 个请求开始与录制不同。"
        "录制: {recorded_messages} 条消息,最后 {recorded};现在: {now_messages} 条,最后 {now}",
        "The replay differs from its recording from request {position} of {actor} on. "
        "Recorded: {recorded_messages} messages, the last {recorded}; now: {now_messages}, the last {now}",
    ),
    "llm.record_stopped": (
        "无法继续写录制文件 {path}: {reason}",
        "The recording {path} can't be written any more: {reason}",
    ),
    "settings.record_exists": (
        "录制文件 {path} 已存在,请换一个名字",
        "The recording {path} exists already: name another file",
    ),
    "settings.record_unwritable": (
        "无法写录制文件 {path}: {reason}",
        "The recording {path} can't be written: {reason}",
    ),
    "llm.recording_unreadable": ("无法读取录制文件 {file}: {what}", "The recording {file} can't be read: {what}"),
    "llm.recording_broken": (
        "录制文件 {file} 第 {line} 行有误: {what}",
        "The recording {file} is broken in line {line}: {what}",
    ),
}
