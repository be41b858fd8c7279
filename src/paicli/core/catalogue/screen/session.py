"""What a person reads about the interactive session; code → (zh, en).

`session.*` are the session's own words, `tool.*` the lines of tool calls, `turn.*`,
`model.*` and `notice.*` what the engine tells, `approval.*` the approval panel, `status.*` the status bar.
"""

_SESSION: dict[str, tuple[str, str]] = {
    "session.banner": (
        "paicli {version} · {provider}/{model} · {project}",
        "paicli {version} · {provider}/{model} · {project}",
    ),
    "session.hint": ("输入任务,/help 查看命令", "Type a task; /help lists the commands"),
    "session.prompt": ("> ", "> "),
    "session.search_prompt": ("搜索历史: ", "Search the history: "),
    "session.help_title": ("命令:", "Commands:"),
    "session.help_not_yet": ("尚未提供: {names}", "Not there yet: {names}"),
    "session.help_shell": (
        "  !命令  直接执行 shell 命令 · @路径  附上文件或文件夹 · #文字  在 PAI.md 里加一行",
        "  !command  run a shell command yourself · @path  attach a file or folder · #text  add a line to PAI.md",
    ),
    "session.help_keys": (
        "按键: 回车发送,Alt+回车 / Ctrl+J / 行尾 \\ 换行,ESC 或 Ctrl+C 取消,Shift+Tab 切换模式,"
        "Ctrl+R 搜索历史,Ctrl+G 打开编辑器,Ctrl+V 附上剪贴板里的图片,Ctrl+O 展开,"
        "Ctrl+T 查看计划,ESC ESC 回到较早的一轮,Ctrl+D 退出",
        "Keys: Enter sends; Alt+Enter, Ctrl+J or a trailing \\ is a new line; ESC or Ctrl+C cancels; Shift+Tab "
        "cycles the mode; Ctrl+R searches the history; Ctrl+G opens your editor; Ctrl+V attaches the clipboard's "
        "image; Ctrl+O unfolds; Ctrl+T shows the plan; ESC ESC goes back to an earlier turn; Ctrl+D leaves",
    ),
    "session.unknown_command": ("未知命令: /{name}", "Unknown command: /{name}"),
    "session.unknown_command_near": (
        "未知命令: /{name},是否想输入: {nearest}",
        "Unknown command: /{name}; did you mean: {nearest}",
    ),
    "session.not_yet": ("/{name} 尚未提供", "/{name} is not there yet"),
    "session.no_argument": ("/{name} 不带参数", "/{name} takes no argument"),
    "session.mode_usage": ("没有模式 {mode},可用: auto、plan、ask", "No mode {mode}; there are auto, plan and ask"),
    "session.hitl_usage": (
        "用法: /hitl on(ask 模式)或 /hitl default(auto 模式)",
        "Usage: /hitl on (ask mode) or /hitl default (auto mode)",
    ),
    "session.mode": ("当前模式: {mode}", "Mode: {mode}"),
    "session.busy": (
        "有任务正在执行,请先等待或用 ESC 取消",
        "Something is running: wait for it, or cancel it with ESC",
    ),
    "session.waits": ("已排队,当前任务结束后开始", "Waiting: it starts when the running turn ends"),
    "session.nothing_runs": ("没有正在执行的任务", "Nothing is running"),
    "session.review_keys": (
        "📝 计划已生成。回车 / y / run 执行 · /view 展开 · cancel 取消 · /exit 退出 · 其他文字作为补充要求",
        "📝 The plan is ready. Enter, y or run runs it · /view shows it · cancel · /exit · other text changes it",
    ),
    "session.plan_armed": (
        "📋 下一条任务将使用 Plan-and-Execute 模式",
        "📋 The next task will use Plan-and-Execute mode",
    ),
    "session.plan_disarmed": (
        "↩️ 已取消待执行的 Plan-and-Execute",
        "↩️ The pending Plan-and-Execute was cancelled",
    ),
    "session.plan_banner": ("📋 使用 Plan-and-Execute 模式", "📋 Using Plan-and-Execute mode"),
    "session.leave_hint": ("再按一次 Ctrl+C 退出", "Press Ctrl+C again to leave"),
    "session.cleared": ("已清空对话", "The conversation starts anew"),
    "session.queued": ("⏳ 已排队: {text}", "⏳ Queued: {text}"),
    "session.paste": ("[粘贴 #{number}:{count} 行]", "[Paste #{number}: {count} lines]"),
    "session.long_paste": ("[粘贴 #{number}:{count} 字符]", "[Paste #{number}: {count} characters]"),
    "session.no_turn": ("会话在任务结束前已关闭", "The session closed before the task ended"),
}

_TURN: dict[str, tuple[str, str]] = {
    "turn.failed": ("❌ 执行失败: {reason}", "❌ Failed: {reason}"),
    "turn.failed_unknown": ("❌ 执行失败", "❌ Failed"),
    "turn.was_cancelled": ("⏹️ 已取消。", "⏹️ Cancelled."),
    "model.thinking": ("🧠 ", "🧠 "),
    "model.retry": ("第 {attempt}/{max_attempts} 次重试,{wait_s} s 后", "Retry {attempt}/{max_attempts} in {wait_s} s"),
    "model.restarted": ("以上未完成的回答作废,重新生成", "The unfinished answer above is void; it starts again"),
    "model.changed": ("模型: {provider}/{model}", "Model: {provider}/{model}"),
    "notice.compaction_started": (
        "正在压缩对话(约 {tokens} tokens)",
        "Compacting the conversation (about {tokens} tokens)",
    ),
    "notice.compaction_finished": ("对话已压缩到约 {tokens} tokens", "Compacted to about {tokens} tokens"),
    "notice.compaction_failed": ("对话摘要失败: {reason}", "The summary failed: {reason}"),
    "notice.repeated_call": (
        "同一个调用重复了三次,已提醒模型换个做法: {call}",
        "The same call three times over; the model was told to try something else: {call}",
    ),
    "notice.repeated_error": (
        "同一类错误连续出现三次,已提醒模型换个做法: {kind}",
        "The same kind of error three times over; the model was told to try something else: {kind}",
    ),
    "notice.error_kind.timeout": ("超时", "it took too long"),
    "notice.error_kind.rate_limit": ("请求过于频繁", "too many requests"),
    "notice.error_kind.network": ("网络错误", "a network error"),
    "notice.error_kind.auth": ("没有权限访问", "not authorised"),
    "notice.error_kind.permission": ("不允许", "not permitted"),
    "notice.error_kind.not_found": ("不存在", "not found"),
    "notice.error_kind.invalid_argument": ("参数不合要求", "the arguments don't fit"),
    "notice.error_kind.exit_code": ("退出码不为 0", "a non-zero exit code"),
    "notice.error_kind.other": ("其他错误", "some other error"),
    "notice.budget.repetition": (
        "⚠️ 连续重复相同的调用,不再调用工具",
        "⚠️ The same calls over and over: no more tools",
    ),
    "notice.budget.cycle": ("⚠️ 调用陷入循环,不再调用工具", "⚠️ The calls go in circles: no more tools"),
    "notice.budget.steps": ("⚠️ 已达到步数上限,不再调用工具", "⚠️ The limit of steps is reached: no more tools"),
    "notice.budget.tokens": ("⚠️ 已达到 token 上限,不再调用工具", "⚠️ The limit of tokens is reached: no more tools"),
    "notice.budget.cost": ("⚠️ 已达到费用上限,不再调用工具", "⚠️ The cost limit is reached: no more tools"),
    "notice.budget.output_limit": (
        "⚠️ 模型的输出达到长度上限,到此为止",
        "⚠️ The model reached its output limit: it stops here",
    ),
    "notice.budget.content_filter": (
        "⚠️ 回答被模型服务的内容过滤截断",
        "⚠️ The provider's content filter broke the answer off",
    ),
    "notice.url_refused": ("URL 已拒绝: {url}({reason})", "URL refused: {url} ({reason})"),
    "notice.url_why.url_untrusted": (
        "不是你本轮写下的,也不是搜索到的",
        "neither in your words of this turn nor found by a search",
    ),
    "notice.url_why.untrusted": ("不是可信的 URL", "not trusted"),
    "notice.url_why.redirect_refused": (
        "重定向到了另一个网站",
        "a redirect led there, to another site",
    ),
    "notice.url_why.url_unusable": ("不是可用的 URL", "no usable URL"),
    "notice.url_why.url_scheme": ("只能访问 http 和 https", "only http and https can be fetched"),
    "notice.diagnostics": ("{path} 有 {count} 处新的语法问题", "{path}: {count} new {count:problem|problems}"),
}

_TOOLS: dict[str, tuple[str, str]] = {
    "tool.line": ("● {name} {subject}  → {outcome}", "● {name} {subject}  → {outcome}"),
    "tool.line_bare": ("● {name}  → {outcome}", "● {name}  → {outcome}"),
    "tool.running": ("● {name} {subject}", "● {name} {subject}"),
    "tool.ok": ("完成", "done"),
    "tool.failed": ("失败: {reason}", "failed: {reason}"),
    "tool.denied": ("已拒绝: {reason}", "denied: {reason}"),
    "tool.was_cancelled": ("已取消", "cancelled"),
    "tool.read": ("{count} lines", "{count} {count:line|lines}"),
    "tool.read_encoded": ("{count} lines ({encoding})", "{count} {count:line|lines} ({encoding})"),
    "tool.written": ("+{added} -{removed}", "+{added} -{removed}"),
    "tool.written_same": ("内容本来就是这样,没有改动", "nothing changed: the content was the same"),
    "tool.written_new": ("新文件 +{added}", "new file +{added}"),
    "tool.written_corrected": ("+{added} -{removed}(匹配已校正)", "+{added} -{removed} (match corrected)"),
    "tool.list": ("{found} 项", "{found} {found:entry|entries}"),
    "tool.glob": ("{found} 个文件", "{found} {found:file|files}"),
    "tool.grep": ("{found} 处匹配", "{found} {found:match|matches}"),
    "tool.listing_cut": ("{found}(已截断)", "{found} (cut)"),
    "tool.exit": ("exit {code} · {duration_s} s", "exit {code} · {duration_s} s"),
    "tool.exit_stages": (
        "exit {code}(各段 {stages})· {duration_s} s",
        "exit {code} (stages {stages}) · {duration_s} s",
    ),
    "tool.signal": ("被信号 {signal} 终止 · {duration_s} s", "ended by signal {signal} · {duration_s} s"),
    "tool.timed_out": ("超时 · {duration_s} s", "timed out · {duration_s} s"),
    "tool.background": ("后台运行 {id}", "in the background as {id}"),
    "tool.unfinished": ("未结束", "not finished"),
    "tool.todos": ("{count} 项", "{count} {count:item|items}"),
    "tool.project": ("{kind} 项目,{count} 个文件", "{kind} project, {count} {count:file|files}"),
    "tool.diff_folded": ("… 还有 {count} 行(Ctrl+O 展开)", "… {count} more {count:line|lines} (Ctrl+O unfolds)"),
    "tool.diff_folded_lines": ("… 还有 {count} 行", "… {count} more {count:line|lines}"),
    "output.nothing_folded": ("没有可展开的内容", "Nothing is folded"),
    "tool.todo_title": ("任务清单:", "To do:"),
    "tool.review_allowed": ("auto 已放行: {command}", "auto allowed: {command}"),
    "tool.review_denied": ("auto 已拦截: {reason}", "auto blocked: {reason}"),
}

_APPROVAL: dict[str, tuple[str, str]] = {
    "approval.title": ("⚠️ 需要批准: {tool}", "⚠️ Approval needed: {tool}"),
    "approval.task": ("任务 [{task}]: {description}", "Task [{task}]: {description}"),
    "approval.reason": ("原因: {reason}", "Why: {reason}"),
    "approval.argument": ("{name}: {value}", "{name}: {value}"),
    "approval.no_arguments": ("(无参数)", "(no arguments)"),
    "approval.hidden": ("⚠️ 含 {count} 个不可见字符,已标出", "⚠️ {count} invisible characters, marked above"),
    "approval.more_below": (
        "… 下面还有 {count} 行(PgDn 查看)",
        "… {count} more {count:line|lines} below (PgDn shows them)",
    ),
    "approval.more_above": ("… 上面还有 {count} 行(PgUp)", "… {count} more {count:line|lines} above (PgUp)"),
    "approval.prompt": ("允许? [y/n/a/s/m] ", "Allow? [y/n/a/s/m] "),
    "approval.unreadable": (
        "请输入 y、n、a、r、s 或 m(第 {count}/5 次,第五次按拒绝处理)",
        "Answer y, n, a, r, s or m ({count}/5; the fifth counts as no)",
    ),
    "approval.given_up": ("五次无法识别,按拒绝处理", "Five unreadable answers: taken as no"),
    "approval.decided.allow": ("✓ 已允许: {tool}", "✓ allowed: {tool}"),
    "approval.decided.allow_session": ("✓ 本会话内允许: {tool}", "✓ allowed for this session: {tool}"),
    "approval.decided.deny": ("❌ 已拒绝: {tool}", "❌ denied: {tool}"),
    "approval.decided.skip": ("⏭️ 已跳过: {tool}", "⏭️ skipped: {tool}"),
    "approval.decided.edit": ("✎ 参数已修改,重新检查: {tool}", "✎ arguments changed, checked again: {tool}"),
    "approval.decided.cancel": ("⏹️ 已取消: {tool}", "⏹️ cancelled: {tool}"),
}

_STATUS: dict[str, tuple[str, str]] = {
    "status.task": ("{task} {elapsed}", "{task} {elapsed}"),
    "status.mode": ("{mode} shift+tab to cycle", "{mode} shift+tab to cycle"),
    "status.context": ("上下文 {percent}%", "context {percent}%"),
    "status.tokens": ("{tokens} tokens", "{tokens} tokens"),
    "status.planned_next": ("📋 下一条先规划", "📋 next: planned"),
    "status.cancelling": ("正在取消", "cancelling"),
}

TEXTS: dict[str, tuple[str, str]] = {**_SESSION, **_TURN, **_TOOLS, **_APPROVAL, **_STATUS}
