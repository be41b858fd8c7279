"""Why a call failed or was denied, behind "failed:" or "denied:" in its line: code of the error → (zh, en).

What the model reads of the same error says more: what to do now. The path or command of the call stands in the line
already, and a refused command's reason in the line above it.
"""

_FILES: dict[str, tuple[str, str]] = {
    "files.not_found": ("不存在", "no such file or folder"),
    "files.base_gone": ("项目目录已不存在", "the project's folder is gone"),
    "files.not_found_similar": ("不存在;有一个写法相近的名字 {similar}", "no such file; {similar} looks alike"),
    "files.is_folder": ("是目录,不是文件", "it is a folder"),
    "files.is_link": ("是符号链接", "it is a symbolic link"),
    "files.is_fifo": ("是命名管道,不是普通文件", "it is a named pipe, no regular file"),
    "files.is_socket": ("是套接字,不是普通文件", "it is a socket, no regular file"),
    "files.is_device": ("是设备文件,不是普通文件", "it is a device, no regular file"),
    "files.not_a_folder": ("不是目录", "it is no folder"),
    "files.moved": ("路径刚被换成了符号链接", "the path has just become a symbolic link"),
    "files.no_permission": ("没有权限", "permission denied"),
    "files.system_error": ("{what}", "{what}"),
    "files.offset_beyond": ("文件只有 {total} 行", "the file's lines end at {total}"),
    "files.unread": ("模型还没有读过这个文件", "the model has not read this file yet"),
    "files.stale": ("文件在模型读取之后被改动过", "the file changed after the model had read it"),
    "files.gone": ("文件在模型读取之后被删除了", "the file was deleted after the model had read it"),
    "files.changed_while_writing": ("写入时被别的程序改动", "another program changed it at the same time"),
    "files.too_large": ("{size},超过 5 MB", "{size}: more than 5 MB"),
    "files.read_only": ("只读文件", "the file is read-only"),
    "files.read_only_folder": ("所在的目录只读", "its folder is read-only"),
    "files.binary_not_writable": ("二进制文件", "it is a binary file"),
    "edit.arguments": ("没有给出要改的内容", "what to change was not given"),
    "edit.old_empty": ("要替换的内容为空", "the text to replace is empty"),
    "edit.same": ("新旧内容相同", "the old and the new text are the same"),
    "edit.several": (
        "要替换的内容出现了 {count} 处(第 {lines} 行)",
        "the text to replace stands in {count} places (lines {lines})",
    ),
    "edit.not_found": ("没有要替换的内容", "the text to replace is not in the file"),
    "edit.not_found_for_all": ("没有要替换的内容", "the text to replace is not in the file"),
    "edit.stale": (
        "文件在模型读取之后被改动过,要替换的内容已不在",
        "the file changed after the model had read it: the text to replace is gone",
    ),
    "edit.not_encodable": (
        "文件编码 {encoding} 无法表示 {character}",
        "{character} can't be written in the file's encoding, {encoding}",
    ),
    "edit.not_faithful": (
        "文件编码 {encoding} 无法逐字节还原",
        "the file's bytes can't be kept through its encoding, {encoding}",
    ),
    "search.glob_outside": ("模式不可用: {pattern}", "the pattern can't be used: {pattern}"),
    "search.glob_too_many": ("模式的花括号展开太多", "the braces of the pattern expand to too much"),
    "search.pattern_unusable": ("模式为空或含换行", "the pattern is empty or holds a line break"),
    "search.pattern_invalid": (
        "正则表达式第 {position} 个字符处有错: {what}",
        "the pattern is wrong at character {position}: {what}",
    ),
    "search.timed_out": ("{seconds} 秒内没有搜完", "not done within {seconds} seconds"),
    "project.exists": ("已存在且不是空目录", "it exists and is no empty folder"),
    "project.no_parent": ("项目根目录已不存在", "the project's folder is gone"),
    "project.failed": ("{reason}", "{reason}"),
}

_COMMANDS: dict[str, tuple[str, str]] = {
    "command.unknown_id": ("没有这个后台命令", "there is no such background command"),
    "command.too_many_background": ("后台命令已达 {limit} 个", "{limit} background commands are running already"),
    "command.session_ended": ("会话正在结束", "the session is ending"),
    "command.no_bash": ("找不到 bash", "bash was not found"),
    "command.too_long": ("命令太长,系统不接受", "the command is longer than the system takes"),
    "command.has_nul": ("命令含有 NUL 字符", "the command holds a NUL character"),
    "command.not_started": ("无法在 {cwd} 中启动: {reason}", "it can't start in {cwd}: {reason}"),
    "sandbox.missing": ("沙箱已开启,但找不到 {program}", "the sandbox is on, and {program} was not found"),
    "sandbox.refused": (
        "沙箱已开启,但 {program} 不能用({reason})",
        "the sandbox is on, and {program} does not work ({reason})",
    ),
}

_CALLS: dict[str, tuple[str, str]] = {
    "tool.unknown": ("没有这个工具", "there is no such tool"),
    "tool.arguments_no_json": (
        "参数不是合法的 JSON(第 {line} 行第 {column} 列: {what})",
        "the arguments are no JSON (line {line}, column {column}: {what})",
    ),
    "tool.arguments_no_object": ("参数不是 JSON 对象", "the arguments are no JSON object"),
    "tool.arguments_invalid": ("参数不合要求: {what}", "the arguments don't fit: {what}"),
    "tool.broke": ("意外错误: {what}", "an unexpected error: {what}"),
    "skill.unknown": ("没有这个技能", "there is no such skill"),
    "snapshots.not_in_a_task": ("计划任务中不能恢复文件", "tasks of a plan can't restore files"),
}

_IN_EVERY_MODE = ("任何模式下都不放行", "refused in every mode")
_BY_REVIEW = ("审查没有放行", "the review did not let it pass")
_BY_PERSON = ("你没有批准", "you did not allow it")

_DENIED: dict[str, tuple[str, str]] = {
    "policy.path_outside": ("在项目之外: {resolved}", "outside the project: {resolved}"),
    "policy.path_protected": ("受保护的位置: {resolved}", "a protected place: {resolved}"),
    "policy.path_git": (".git 内部", "inside .git"),
    "policy.path_loop": ("符号链接成环", "its symbolic links go in a circle"),
    "policy.path_unusable": ("不是可用的路径", "no usable path"),
    **{
        f"policy.command_{what}": _IN_EVERY_MODE
        for what in (
            "delete",
            "privilege",
            "disk",
            "fork_bomb",
            "shutdown",
            "fetched_code",
            "permissions",
            "force_push",
            "startup_file",
            "history_file",
            "own_settings",
            "kill_all",
            "crontab",
        )
    },
    "policy.rule_denied": ("权限规则禁止", "a permission rule forbids it"),
    "policy.turn_no_network": ("本轮不联网", "no network in this turn"),
    "policy.turn_read_only": ("本轮只读", "this turn is read-only"),
    "policy.turn_no_commands": ("本轮不执行命令", "no commands in this turn"),
    "policy.turn_network_command": ("本轮不联网: {matched}", "no network in this turn: {matched}"),
    "policy.turn_unknown_command": (
        "本轮不联网,无法确定它是否访问网络: {matched}",
        "no network in this turn, and whether it goes out can't be told: {matched}",
    ),
    "policy.turn_writing_command": ("本轮只读: {matched}", "this turn is read-only: {matched}"),
    "policy.url_untrusted": (
        "URL 不是你本轮写下的,也不是搜索到的: {url}",
        "the URL stands neither in your words of this turn nor in a search: {url}",
    ),
    "policy.memory_after_outside": (
        "对话里有外部内容,而你本轮没有要求记住",
        "content from outside is in the conversation, and you did not ask to remember",
    ),
    "policy.memory_unasked": ("你本轮没有要求记住", "you did not ask to remember"),
    "review.denied": _BY_REVIEW,
    "review.nobody": ("审查没有放行,也没有人可以询问", "the review did not let it pass, and nobody is there to ask"),
    "approval.denied": _BY_PERSON,
    "approval.denied_because": _BY_PERSON,
    "approval.nobody": ("没有人可以询问", "nobody is there to ask"),
}

_WEB: dict[str, tuple[str, str]] = {
    "web.untrusted": (
        "URL 不是你本轮写下的,也不是搜索到的",
        "the URL stands neither in your words of this turn nor in a search",
    ),
    "web.url_unusable": ("不是可用的 URL", "no usable URL"),
    "web.url_too_long": ("URL 超过 {limit} 个字符", "the URL is longer than {limit} characters"),
    "web.url_scheme": ("只能访问 http 和 https", "only http and https can be fetched"),
    "web.url_credentials": ("URL 里有用户名或密码", "the URL holds a user name or password"),
    "web.port_refused": ("不能访问 {host} 的端口 {port}", "port {port} of {host} is not allowed"),
    "web.address_refused": ("{host} 指向内部地址 {address}", "{host} leads to {address}, which is not public"),
    "web.redirect_refused": ("重定向到了另一个网站: {url}", "redirected to another site: {url}"),
    "web.redirects_many": ("重定向超过 {limit} 次", "redirected more than {limit} times"),
    "web.rate_limited": ("每分钟最多 {limit} 次", "at most {limit} a minute"),
    "web.host_unknown": ("找不到主机 {host}: {what}", "{host} was not found: {what}"),
    "web.unreachable": ("无法连接 {host}: {what}", "can't connect to {host}: {what}"),
    "web.timed_out": ("{host} 在 {seconds} 秒内没有答完", "no complete answer from {host} within {seconds} seconds"),
    "web.broken_answer": ("{host} 的回答不是 HTTP: {what}", "the answer of {host} is no HTTP: {what}"),
    "web.encoding_unknown": ("不支持的压缩格式 {encoding}", "compressed in an unknown way: {encoding}"),
    "web.status": ("{host} 回答 HTTP {status}", "{host} answered HTTP {status}"),
    "web.search_unset": ("没有设置网络搜索,见 /doctor", "no web search is configured, see /doctor"),
    "web.search_no_key": ("{provider} 没有密钥,见 /doctor", "{provider} has no key, see /doctor"),
    "web.search_no_url": ("searxng 没有地址,见 /doctor", "searxng has no address, see /doctor"),
    "web.search_query_empty": ("搜索词是空的", "the query is empty"),
    "web.search_refused": (
        "{provider} 拒绝了请求(HTTP {status}): {what}",
        "{provider} refused the request (HTTP {status}): {what}",
    ),
    "web.search_odd": (
        "{provider} 的回答不是预期的格式(HTTP {status}): {what}",
        "{provider} answered in an unexpected form (HTTP {status}): {what}",
    ),
    "web.search_no_json": ("searxng 没有开放 JSON 格式", "searxng does not offer the JSON format"),
}

_NEVER_RUN: dict[str, tuple[str, str]] = {
    "tool.output_cut": (
        "模型的输出达到长度上限,参数不完整",
        "the model reached its output limit: the arguments are incomplete",
    ),
}
"""The loop answers such a call itself."""

TEXTS: dict[str, tuple[str, str]] = _NEVER_RUN | {
    f"tool.why.{code}": pair for part in (_FILES, _COMMANDS, _CALLS, _DENIED, _WEB) for code, pair in part.items()
}
