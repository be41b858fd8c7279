"""What a model reads about command reviews; code → text (Chinese in both interface languages)."""

_HINT = "换个做法,或者告诉用户:切换到 ask 模式(Shift+Tab 或 /mode ask)后可以由用户亲自批准。"

TEXTS: dict[str, str] = {
    "review.denied": "命令没有执行:审查没有放行,原因:{reason}。不要原样重试。" + _HINT,
    "review.nobody": "命令没有执行:审查连续三次没有放行,需要用户决定,但现在没有人可以询问。审查的原因:{reason}",
    "review.why_unreadable": "审查模型没有按要求的格式回答",
    "review.why_unsaid": "审查模型没有说明原因",
    "review.why_too_long": "命令参数超过 32000 个字符",
    "review.why_timeout": "审查模型 20 秒内没有回答",
    "review.why_failed": "审查请求失败",
}
