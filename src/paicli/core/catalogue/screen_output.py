"""What a person reads while a plan runs, and about what is folded; code → (zh, en)."""

TEXTS: dict[str, tuple[str, str]] = {
    "board.progress": ("第 {round}/{rounds} 轮 · 任务 {done}/{tasks}", "round {round}/{rounds} · {done}/{tasks} tasks"),
    "board.task": ("  {task} {elapsed} · {doing}", "  {task} {elapsed} · {doing}"),
    "board.task_at_rest": ("  {task} {doing}", "  {task} {doing}"),
    "board.waiting": ("⏳ 等待", "⏳ waiting"),
    "board.thinking": ("🧠 思考中", "🧠 thinking"),
    "board.answering": ("正在回答", "answering"),
    "board.answered": ("✅ 已回答,等待本轮其他任务", "✅ answered, waits for the others of its round"),
    "board.completed": ("✅ 完成", "✅ done"),
    "board.failed": ("❌ 失败", "❌ failed"),
    "board.interrupted": ("⏹️ 已中断", "⏹️ interrupted"),
    "output.nothing_folded": ("没有可展开的内容", "Nothing is folded"),
}
