"""What a model reads in a conversation that was brought back from disk."""

TEXTS: dict[str, str] = {
    "stored.image_gone": "[图片 {path}: 会话恢复后图片内容不在记录里。需要时请用户重新附上]",
}
