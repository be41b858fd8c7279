"""What a person reads about command reviews; code → (zh, en). Reasons that no reviewer wrote: `review.why_*`."""

TEXTS: dict[str, tuple[str, str]] = {
    "review.why_unreadable": (
        "审查模型没有按要求的格式回答",
        "the reviewing model did not answer in the form it was asked for",
    ),
    "review.why_unsaid": ("审查模型没有说明原因", "the reviewing model gave no reason"),
    "review.why_too_long": ("命令参数超过 32000 个字符", "the command's arguments are over 32,000 characters long"),
    "review.why_timeout": ("审查模型 20 秒内没有回答", "the reviewing model did not answer within 20 seconds"),
    "review.why_failed": ("审查请求失败", "the request for the review failed"),
    "settings.side_model": (
        "{path}: {key} = {name} 不可用: 没有这个模型所需的密钥或接口地址",
        "{path}: {key} = {name} can't be used: there is no key or base URL for it",
    ),
    "danger.foreign": (
        "外部 MCP 服务器的工具,它实际做什么由服务器决定",
        "a tool of an MCP server: what it really does is up to the server",
    ),
    "approval.outside_read": (
        "此前读取过外部内容(来自 {tools}),其中的文字可能引出了这次操作",
        "content from outside was read before (by {tools}): its text may have led to this",
    ),
}
