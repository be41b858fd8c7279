"""What a person reads of compaction, usage, cost and budgets; code → (zh, en)."""

TEXTS: dict[str, tuple[str, str]] = {
    "compaction.nothing": ("对话还很短,没有可压缩的内容", "The conversation is short: there is nothing to compact"),
    "compaction.done": (
        "对话已压缩: 约 {before} → {after} tokens",
        "Compacted: about {before} → {after} tokens",
    ),
    "compaction.summary_empty": ("模型给出了空的摘要", "the model's summary was empty"),
    "compaction.summary_longer": ("摘要比原文还长", "the summary was longer than what it stood for"),
    "compaction.too_big_message": (
        "请求放不进模型 {model} 的窗口({window} tokens): 最近一条消息就有约 {tokens} tokens。"
        "请缩短它,或换窗口更大的模型",
        "The request does not fit the window of {model} ({window} tokens): your last message alone has about {tokens} "
        "tokens. Shorten it, or take a model with a larger window",
    ),
    "compaction.too_big_system": (
        "请求放不进模型 {model} 的窗口({window} tokens): 系统提示和 PAI.md 有约 {tokens} tokens。"
        "请缩短 PAI.md,或换窗口更大的模型",
        "The request does not fit the window of {model} ({window} tokens): the system prompt and PAI.md have about "
        "{tokens} tokens. Shorten PAI.md, or take a model with a larger window",
    ),
    "compaction.too_big_tools": (
        "请求放不进模型 {model} 的窗口({window} tokens): 工具说明有约 {tokens} tokens。"
        "请用 --tools 减少工具,或换窗口更大的模型",
        "The request does not fit the window of {model} ({window} tokens): the tools' descriptions have about {tokens} "
        "tokens. Offer fewer with --tools, or take a model with a larger window",
    ),
    "compaction.too_big_conversation": (
        "请求放不进模型 {model} 的窗口({window} tokens): 对话有约 {tokens} tokens,已无法再压缩。"
        "请用 /clear 重新开始,或换窗口更大的模型",
        "The request does not fit the window of {model} ({window} tokens): the conversation has about {tokens} tokens "
        "and can't be compacted further. Start anew with /clear, or take a model with a larger window",
    ),
    "budget.no_price": (
        "设了费用上限,但不知道 {model} 的价格。请在 {path} 的 [model] 里写 price_input 和 price_output"
        "(每百万 token 的美元价),或去掉上限",
        "There is a cost limit, but the price of {model} is not known. Set price_input and price_output under [model] "
        "in {path} (US dollars per million tokens), or leave the limit out",
    ),
    "budget.bad_amount": (
        "选项 {option} 的值 {value} 无效,应为大于 0 的美元金额,如 0.5",
        "Option {option} can't be {value}; it is an amount in US dollars above 0, like 0.5",
    ),
    "model.fell_back": (
        "{before} 用不了({reason}),改用 {after}",
        "{before} can't be reached ({reason}); going on with {after}",
    ),
    "cost.title": ("用量与费用:", "Usage and cost:"),
    "cost.none": ("还没有向模型发过请求", "No model was asked yet"),
    "cost.who": ("谁", "who"),
    "cost.model": ("模型", "model"),
    "cost.requests": ("请求", "requests"),
    "cost.input": ("输入", "in"),
    "cost.cached": ("缓存", "cached"),
    "cost.output": ("输出", "out"),
    "cost.reasoning": ("思考", "thinking"),
    "cost.price": ("费用", "cost"),
    "cost.session": ("整个会话", "session"),
    "cost.turn": ("本轮", "this turn"),
    "cost.kind_review": ("命令审查", "reviews of commands"),
    "cost.kind_summary": ("对话摘要", "summaries"),
    "cost.unknown": ("价格未知", "price unknown"),
    "cost.partly": ("{cost} + {count} 个请求价格未知", "{cost} + {count} requests of unknown price"),
    "cost.budget": (
        "上限 {limit},本次运行已用 {spent}",
        "Limit {limit}, spent since the start {spent}",
    ),
    "loop.reason_cost": ("达到费用上限", "the cost limit was reached"),
    "cli.help--max-budget-usd": ("最多花费 X 美元", "spend at most X US dollars"),
    "cli.help--fallback-model": (
        "主模型用不了时改用它",
        "the model to go on with when the first can't be reached",
    ),
    "session.context_summary": ("对话: 摘要", "conversation: summary"),
    "session.context_words": ("对话: 用户", "conversation: yours"),
    "session.context_replies": ("对话: 模型", "conversation: the model's"),
    "session.context_results": ("对话: 工具结果", "conversation: tool results"),
}
