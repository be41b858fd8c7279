"""What a person reads about plans; code → (zh, en).

`plan.invalid.*` are the faults of a model's plan, `plan.review.*` the review, `plan.round.*` and `plan.task.*` the
lines of a run, `board.*` its live rows, `plan.report.*` its summary.
"""

_NOT_JSON = "计划不是合法的 JSON:第 {line} 行第 {column} 列,"
_NOT_JSON_EN = "The plan is not valid JSON: line {line}, column {column}: "

_FAULTS: dict[str, tuple[str, str]] = {
    "plan.invalid.empty": ("计划必须包含非空 JSON 对象", "The plan must contain a non-empty JSON object"),
    "plan.invalid.json": (_NOT_JSON + "{what}", _NOT_JSON_EN + "{what}"),
    "plan.invalid.json_trailing": (
        _NOT_JSON + "JSON 之后还有其他内容",
        _NOT_JSON_EN + "something follows the JSON",
    ),
    "plan.invalid.json_repeated_key": (_NOT_JSON + "重复的键 {key}", _NOT_JSON_EN + "repeated key {key}"),
    "plan.invalid.json_constant": (_NOT_JSON + "{what} 不是合法的数值", _NOT_JSON_EN + "{what} is not a number"),
    "plan.invalid.json_depth": (_NOT_JSON + "嵌套过深", _NOT_JSON_EN + "nested too deep"),
    "plan.invalid.json_fence": (_NOT_JSON + "代码围栏没有结束", _NOT_JSON_EN + "the code fence is not closed"),
    "plan.invalid.object": ("计划必须是 JSON 对象", "The plan must be a JSON object"),
    "plan.invalid.tasks": ("计划 tasks 必须是非空数组", "The plan's tasks must be a non-empty array"),
    "plan.invalid.id": ("计划任务必须具有非空字符串 id", "Each task of a plan must have a non-empty string id"),
    "plan.invalid.repeated_id": ("计划中存在重复任务 id: {id}", "The plan repeats the task id {id}"),
    "plan.invalid.description": (
        "计划任务 {id} 必须具有非空描述",
        "Task {id} of the plan must have a non-empty description",
    ),
    "plan.invalid.dependencies": (
        "计划 dependencies 必须是任务 id 数组",
        "The plan's dependencies must be arrays of task ids",
    ),
    "plan.invalid.dependency": (
        "计划依赖必须引用已声明的任务 id: {task} → {dependency}",
        "A dependency must name a declared task id: {task} → {dependency}",
    ),
    "plan.invalid.cycle": ("计划中存在循环依赖: {path}", "The plan's dependencies form a cycle: {path}"),
    "plan.invalid.too_many": ("计划任务过多", "The plan has too many tasks"),
    "plan.invalid.file_goal": (
        "存储的计划必须具有非空字符串 goal",
        "A stored plan must have a non-empty string goal",
    ),
}

_REVIEW: dict[str, tuple[str, str]] = {
    "plan.planning": ("📋 正在规划任务: {goal}", "📋 Planning: {goal}"),
    "plan.planning_scope": ("规划只依据本条输入和 PAI.md", "The plan is made from this input and PAI.md alone"),
    "plan.review.created": (
        "📝 计划已生成。\n"
        "   - 回车:按当前计划执行\n"
        "   - Ctrl+O:展开完整计划\n"
        "   - ESC:折叠或取消本次计划\n"
        "   - I:输入补充要求,在当前计划上修改",
        "📝 The plan is ready.\n"
        "   - Enter: run it as it is\n"
        "   - Ctrl+O: show the whole plan\n"
        "   - ESC: fold it, or cancel this plan\n"
        "   - I: say what to change in it",
    ),
    "plan.review.goal": ("目标: {goal}", "Goal: {goal}"),
    "plan.review.added_to_goal": ("补充要求:", "added: "),
    "plan.review.summary": ("概要: {summary}", "Summary: {summary}"),
    "plan.review.task_count": ("任务数: {count}", "Tasks: {count}"),
    "plan.review.round_count": ("轮数: {count}", "Rounds: {count}"),
    "plan.review.executable": ("当前可执行: {count}", "Executable now: {count}"),
    "plan.review.first_round": ("首轮: {tasks}", "First round: {tasks}"),
    "plan.review.last_round": ("末轮: {tasks}", "Last round: {tasks}"),
    "plan.review.round": ("第 {number} 轮", "Round {number}"),
    "plan.review.dependencies": ("依赖: {tasks}", "after: {tasks}"),
    "plan.review.no_dependencies": ("无依赖", "no dependencies"),
    "plan.review.repeats_completed": ("与已完成的任务相同", "same as a completed task"),
    "plan.review.kept": ("保留: {tasks}", "kept: {tasks}"),
    "plan.review.changed": ("修改: {tasks}", "changed: {tasks}"),
    "plan.review.added": ("新增: {tasks}", "added: {tasks}"),
    "plan.review.removed": ("删除: {tasks}", "removed: {tasks}"),
    "plan.review.other_key": (
        "可用按键: 回车执行,Ctrl+O 展开,ESC 折叠或取消,I 补充要求",
        "Keys: Enter runs it, Ctrl+O shows it whole, ESC folds or cancels, I changes it",
    ),
    "plan.review.feedback_prompt": ("补充> ", "Change> "),
    "plan.review.line_prompt": ("操作/补充> ", "Action/change> "),
    "plan.review.unknown_command": (
        "此处没有命令 {command};可用: 回车执行,/view 展开,/cancel 取消,/exit 退出,其他文字作为补充要求",
        "No command {command} here; use: Enter to run, /view, /cancel, /exit, or any other text to change the plan",
    ),
    "plan.review.feedback_received": (
        "📝 已收到补充要求,正在修改计划...",
        "📝 Changing the plan as you asked...",
    ),
    "plan.review.revision_rejected": (
        "❌ 修改后的计划无效: {reason}",
        "❌ The changed plan is not valid: {reason}",
    ),
    "plan.review.plan_stands": ("仍保留修改前的计划。", "The plan as it was still stands."),
    "plan.review.cancelled": ("⏹️ 已取消本次计划执行。", "⏹️ This plan was cancelled; nothing was run."),
    "plan.review.stopped": (
        "计划等待审阅,没有执行任何任务(加 -y 可直接执行)。",
        "The plan waits for a review; nothing was run (-y runs it as it is).",
    ),
}

_RUN: dict[str, tuple[str, str]] = {
    "plan.failed": ("❌ 执行失败: {reason}", "❌ Failed: {reason}"),
    "plan.started": ("🚀 开始执行计划...", "🚀 Running the plan..."),
    "plan.cancelled": ("⏹️ 已取消当前计划执行。", "⏹️ The running plan was cancelled."),
    "plan.round.parallel": (
        "⚡ 本轮并行执行 {count} 个任务: {tasks}",
        "⚡ This round runs {count} tasks side by side: {tasks}",
    ),
    "plan.task.alone": ("▶️ 执行任务 [{task}]: {description}", "▶️ Task [{task}]: {description}"),
    "plan.task.parallel": ("▶️ 并行任务 [{task}]: {description}", "▶️ Parallel task [{task}]: {description}"),
    "plan.task.completed": ("✅ 完成 [{task}]: {result}", "✅ Done [{task}]: {result}"),
    "plan.task.partial": ("⚠️ 部分完成 [{task}]: {result}", "⚠️ Partly done [{task}]: {result}"),
    "plan.task.failed": ("❌ 失败 [{task}]: {reason}", "❌ Failed [{task}]: {reason}"),
    "plan.task.skipped": ("⏭️ 跳过 [{task}]: {reason}", "⏭️ Skipped [{task}]: {reason}"),
    "plan.task.interrupted": ("⏹️ 已取消任务 [{task}]。", "⏹️ Task [{task}] was cancelled."),
    "plan.task.overlapped": (
        "⚠️ 同一轮的任务 {first} 与 {second} 都涉及文件 {path}",
        "⚠️ {first} and {second} of one round both touched {path}",
    ),
    "plan.skip.dependency_failed": ("依赖的任务 {cause} 失败", "{cause}, which it depends on, failed"),
    "plan.skip.replan_limit": ("已达到重新规划上限", "the limit of replans is reached"),
    "plan.replanning": ("🔄 尝试重新规划(第 {number}/{limit} 次)...", "🔄 Replanning ({number}/{limit})..."),
    "plan.replan_limit": (
        "🛑 已达到重新规划上限({limit} 次),停止执行剩余任务。",
        "🛑 The limit of {limit} {limit:replan|replans} is reached; the remaining tasks will not run.",
    ),
    "plan.stuck": (
        "⚠️ 计划未能继续推进,存在未满足依赖的任务。",
        "⚠️ The plan cannot go on: some tasks wait for dependencies that will not be met.",
    ),
}

_REPORT: dict[str, tuple[str, str]] = {
    "plan.report.completed": ("✅ 计划执行完成!", "✅ The plan is done!"),
    "plan.report.partial": (
        "⚠️ 计划部分完成,有任务失败。",
        "⚠️ The plan is partly done: some tasks failed.",
    ),
    "plan.report.partial_task": (
        "⚠️ 计划部分完成,有任务未全部完成。",
        "⚠️ The plan is partly done: some tasks stopped before their end.",
    ),
    "plan.report.results": ("已完成的任务结果:", "Results of the completed tasks:"),
    "plan.report.result": ("[{task}] {result}", "[{task}] {result}"),
    "plan.report.failed": ("任务 {task} 失败: {reason}", "Task {task} failed: {reason}"),
    "plan.report.skipped": ("任务 {task} 已跳过: {reason}", "Task {task} was skipped: {reason}"),
    "plan.report.task_partial": ("任务 {task} 部分完成", "Task {task} is partly done"),
    "plan.report.interrupted": ("任务 {task} 已中断", "Task {task} was interrupted"),
    "plan.report.not_run": ("任务 {task} 未执行", "Task {task} did not run"),
    "plan.report.earlier": ("重新规划前已完成的任务结果:", "Results from before the replan:"),
    "plan.report.figures": (
        "{rounds} 轮 · 任务 完成 {done} / 失败 {failed} / 跳过 {skipped} · 用时 {wall_s} 秒 · "
        "任务用时合计 {tasks_s} 秒 · 模型调用 {model_calls} 次 · {tokens} tokens",
        "{rounds} {rounds:round|rounds} · tasks: {done} done, {failed} failed, {skipped} skipped · {wall_s} s · "
        "the tasks' time added up {tasks_s} s · {model_calls} model {model_calls:call|calls} · "
        "{tokens} {tokens:token|tokens}",
    ),
}

_BOARD: dict[str, tuple[str, str]] = {
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
}

TEXTS: dict[str, tuple[str, str]] = {**_FAULTS, **_REVIEW, **_RUN, **_REPORT, **_BOARD}
