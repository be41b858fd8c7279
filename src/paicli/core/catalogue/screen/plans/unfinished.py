"""Texts for people about a plan that was left unfinished, and about going on with it."""

TEXTS: dict[str, tuple[str, str]] = {
    "resume.offer": (
        "上次的计划没有执行完: {goal}\n已完成 {done}/{count} 个任务{interrupted}。",
        "The last plan was left unfinished: {goal}\n{done} of {count} tasks are done{interrupted}.",
    ),
    "resume.offer_interrupted": (",中断的任务: {tasks}", "; interrupted: {tasks}"),
    "resume.offer_review": (
        "这个计划还没有审阅过:继续后先审阅,再执行。",
        "It was never reviewed: going on begins with its review.",
    ),
    "resume.go_on": ("继续执行", "Go on"),
    "resume.look": ("查看", "Look"),
    "resume.give_up": ("放弃", "Give up"),
    "resume.keys": (
        "1-3 或方向键加回车选择 · ESC 以后再说 (/plan resume)",
        "1-3, or arrows and Enter · ESC: later (/plan resume)",
    ),
    "resume.line_prompt": ("继续/查看/放弃 [1/2/3]> ", "Go on/look/give up [1/2/3]> "),
    "resume.later": ("以后可以用 /plan resume 继续这个计划。", "/plan resume goes on with this plan later."),
    "resume.abandoned": ("已放弃未完成的计划。", "The unfinished plan was given up."),
    "resume.nothing": ("没有未完成的计划可以继续", "There is no unfinished plan to go on with"),
    "resume.other_plan": (
        "这个计划已经不是会话里最后一个未完成的计划",
        "This plan is no longer the session's unfinished one",
    ),
    "resume.going_on": (
        "📋 继续未完成的计划: {goal}\n已完成 {done}/{count} 个任务{interrupted}。",
        "📋 Going on with the unfinished plan: {goal}\n{done} of {count} tasks are done{interrupted}.",
    ),
    "resume.going_on_interrupted": (
        ",中断的任务重新开始: {tasks}",
        "; these were interrupted and start anew: {tasks}",
    ),
    "resume.plan_exported": (
        "已把计划的 {tasks} 个任务写入 {path},可用 paicli run 执行",
        "The plan's {tasks} tasks were written to {path}; paicli run takes it",
    ),
    "plan.invalid.file_result": (
        "存储的计划里已完成的任务 {id} 没有 result",
        "The stored plan's completed task {id} has no result",
    ),
    "plan.invalid.file_order": (
        "存储的计划里任务 {id} 已完成,但它依赖的 {dependency} 没有完成",
        "The stored plan's task {id} is completed, but {dependency}, which it depends on, is not",
    ),
    "resume.unattended": (
        "这个会话有一个未完成的计划(已完成 {done}/{count} 个任务),没有自动继续。要继续: paicli -p '/plan resume' -c",
        "This session has an unfinished plan ({done} of {count} tasks done); it was not gone on with. "
        "To go on: paicli -p '/plan resume' -c",
    ),
}
