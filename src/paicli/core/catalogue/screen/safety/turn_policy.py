"""What a person reads about the turn's policy and the URLs it trusts; code → (zh, en)."""

TEXTS: dict[str, tuple[str, str]] = {
    "policy.command_unknown_url": (
        "需要确认 {matched}: 要访问的 URL 只有运行时才知道",
        "To be confirmed {matched}: which URL it would fetch is only known when it runs",
    ),
    # what the policy of a turn refuses
    "policy.turn_no_network": ("{tool}: 本轮不联网", "{tool}: no network in this turn"),
    "policy.turn_read_only": ("{tool}: 本轮只读", "{tool}: this turn is read-only"),
    "policy.turn_no_commands": ("{tool}: 本轮不执行命令", "{tool}: no commands in this turn"),
    "policy.turn_network_command": (
        "会拒绝 {matched}: 本轮不联网, 它会访问网络",
        "Would refuse {matched}: no network in this turn, and it goes out",
    ),
    "policy.turn_unknown_command": (
        "会拒绝 {matched}: 本轮不联网, 无法确定它是否访问网络",
        "Would refuse {matched}: no network in this turn, and whether it goes out can't be told",
    ),
    "policy.turn_writing_command": (
        "会拒绝 {matched}: 本轮只读, 它不是单纯的查看",
        "Would refuse {matched}: this turn is read-only, and it does more than read",
    ),
    "policy.url_untrusted": (
        "会拒绝 {url}: 不是你本轮写下的, 也不是搜索到的",
        "Would refuse {url}: neither in your words of this turn nor found by a search",
    ),
    # /policy
    "session.policy_title": (
        "本轮的工具策略 (没有任务运行时为上一轮)",
        "Tool policy of this turn (of the last one when idle)",
    ),
    "session.policy_restrictions": ("限制", "restrictions"),
    "session.policy_mode": ("模式", "mode"),
    "session.policy_rules": ("权限规则", "permission rules"),
    "session.policy_offered": ("提供给模型", "offered"),
    "session.policy_none": ("无", "none"),
    "session.policy_no_network": ("不联网", "no network"),
    "session.policy_read_only": ("只读", "read-only"),
    "session.policy_no_commands": ("不执行命令", "no commands"),
    "session.policy_no_trusted_url": ("没有可信任的 URL", "no trusted URL"),
    "session.policy_untrusted": ("URL", "URLs"),
    "session.policy_memory": ("save_memory", "save_memory"),
    "session.policy_hidden": ("对模型隐藏", "Hidden from the model"),
    "session.policy_refuses": ("会拒绝", "Would refuse"),
    "session.policy_refuses_no_network": (
        "联网工具; 会访问网络或无法确定的命令 (curl、git pull、pip install 等)",
        "network tools; commands that go out or may (curl, git pull, pip install and the like)",
    ),
    "session.policy_refuses_read_only": (
        "写入工具; 不是单纯查看的命令",
        "tools that write; commands that do more than read",
    ),
    "session.policy_refuses_no_commands": ("所有命令", "every command"),
    "session.policy_refuses_untrusted": (
        "web_fetch 与命令中不受信任的 URL (本机除外)",
        "URLs that are not trusted, in web_fetch and in commands (this machine excepted)",
    ),
    "session.policy_refuses_memory": (
        "对话里有外部内容, 而你本轮没有要求记住",
        "content from outside is in the conversation, and you did not ask to remember",
    ),
    "session.policy_urls": ("可信任的 URL", "Trusted URLs"),
    "session.policy_url_user": ("你写下的", "your words"),
    "session.policy_url_web_search": ("搜索到的", "found by a search"),
    "session.policy_url_dependency": ("依赖任务搜索到的", "found by a dependency"),
    "session.policy_outside": ("对话中的外部内容来自: {tools}", "Content from outside came by: {tools}"),
    "session.policy_passes": (
        "命令防护和本轮的策略都不拒绝: {command}",
        "Neither the guards nor the policy of this turn refuse: {command}",
    ),
}
