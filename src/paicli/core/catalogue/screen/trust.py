"""What a person reads about the turn's policy and the URLs it trusts; code → (zh, en)."""

TEXTS: dict[str, tuple[str, str]] = {
    "policy.command_unknown_url": (
        "需要确认 {matched}: 要访问的 URL 只有运行时才知道",
        "To be confirmed {matched}: which URL it would fetch is only known when it runs",
    ),
}
