"""What a model reads when a plan goes on that an earlier run left unfinished."""

TEXTS: dict[str, str] = {
    "task.interrupted": (
        "注意:此任务上次执行时中断,已经做了什么、产生了什么效果都不确定。请先检查现状,再继续;"
        "不要假设某一步已经做完,也不要假设它没有做过。"
    ),
}
