"""What a model reads about plans and task contexts; code → text (Chinese in both interface languages)."""

_REQUEST = "请为以下任务制定执行计划:\n"

TEXTS: dict[str, str] = {
    "plan.request": _REQUEST + "{goal}",
    "plan.request_with_attachments": _REQUEST + "{goal}\n\n{attachments}",
    "plan.revised_goal": "{goal}\n补充要求:{feedback}",
    "plan.request_revision": (
        _REQUEST + "{goal}\n\n"
        "下面是用户刚审阅过的当前计划。请在它的基础上按补充要求修改,不受补充要求影响的任务保持原样,输出修改后的完整计划:\n"
        "{plan}"
    ),
    "plan.request_replan": (
        _REQUEST + "原任务: {goal}\n失败原因: {reason}\n已完成的任务:\n{completed}未完成的任务:\n{open}"
        "已完成的任务不要重新规划,也不要重复执行;只规划剩下的部分,并避开上面的失败原因。"
    ),
    "plan.replan_completed": "- {task}: {description}\n  结果: {result}\n",
    "plan.replan_none": "无\n",
    "plan.replan_failed": "- {task}: {description} (FAILED: {reason})\n",
    "plan.replan_not_run": "- {task}: {description} (未执行)\n",
    "task.goal": "总目标:{goal}",
    "task.description": "当前任务:{description}",
    "task.no_dependencies": "依赖任务:无",
    "task.dependencies": "依赖任务结果:",
    "task.dependency": "- {task} / {description} / 状态=COMPLETED",
    "task.earlier": "此前计划已完成:",
    "task.urls": "依赖分支经 web_search 验证的 URL:",
    "task.url": "- {url}",
    "task.closing": "请执行此任务。如果是ANALYSIS或VERIFICATION类型,请基于以上上下文直接给出结果。",
}
