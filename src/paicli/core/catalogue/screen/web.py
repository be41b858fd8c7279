"""What a person reads about web pages, searches and their settings: code → (zh, en)."""

TEXTS: dict[str, tuple[str, str]] = {
    # a finished call, in one line
    "tool.page": ("{size}", "{size}"),
    "tool.page_titled": ("{title} · {size}", "{title} · {size}"),
    "tool.page_cut": ("{page}(不完整)", "{page} (incomplete)"),
    "tool.web_found": ("{count} 个结果({provider})", "{count} {count:result|results} ({provider})"),
    # settings
    "settings.web_host_unusable": (
        "{path}: web.allow_hosts: {entry} 不是主机, 应如 intranet.example、*.corp.example:8443、127.0.0.1:8080、"
        "10.1.0.0/16",
        "{path}: web.allow_hosts: {entry} is no host; write intranet.example, *.corp.example:8443, 127.0.0.1:8080, "
        "10.1.0.0/16",
    ),
    "session.policy_not_configured": ("未设置, 见 /doctor", "not configured, see /doctor"),
    # doctor
    "doctor.web_search": ("网络搜索: {provider}({source})", "web search: {provider} ({source})"),
    "doctor.web_off": ("网络搜索: 已关闭(web.search)", "web search: switched off (web.search)"),
    "doctor.web_unset": (
        "网络搜索: 未设置。设置 TAVILY_API_KEY、BRAVE_API_KEY、SERPAPI_API_KEY 或 GLM_API_KEY, "
        "或 web.search 与 web.api_key",
        "web search: not configured. Set TAVILY_API_KEY, BRAVE_API_KEY, SERPAPI_API_KEY or GLM_API_KEY, "
        "or web.search and web.api_key",
    ),
    "doctor.web_no_key": (
        "网络搜索: {provider} 没有密钥。设置 {variable}, 或运行 paicli config set web.api_key",
        "web search: {provider} has no key. Set {variable}, or run paicli config set web.api_key",
    ),
    "doctor.web_no_url": (
        "网络搜索: {provider} 没有地址。运行 paicli config set web.base_url URL",
        "web search: {provider} has no address. Run paicli config set web.base_url URL",
    ),
}
