"""What a model reads about commands, projects and the todo list; code → text (Chinese in both interface languages)."""

TEXTS: dict[str, str] = {
    # How a command ended
    "command.ended": "退出码 {code},用时 {seconds} s",
    "command.ended_by_child_signal": "退出码 {code}(即信号 {number} {name}: {words}),用时 {seconds} s",
    "command.signalled": "被信号 {number} {name} 终止: {words},用时 {seconds} s",
    "command.timed_out": "超时: timed out after {timeout} s,命令和它的全部子进程已被终止;以下是此前的输出",
    "command.cancelled": "已被用户取消,命令和它的全部子进程已被终止(用时 {seconds} s);以下是此前的输出",
    "command.not_killed": "注意: 有进程无法终止(可能处于不可中断的等待中)",
    "command.stages": "管道各段退出码: {codes}",
    "command.stages_broken_pipe": "管道各段退出码: {codes}(141 是 SIGPIPE: 下游先结束,不算失败)",
    "command.survivors": "后台仍在运行: {processes}。它们之后的输出看不到,会话结束时会被终止",
    "command.survivor": "pid {pid} {command}",
    "command.survivors_more": "另有 {count} 个",
    "command.moved": "注意: 目录 {wished} 已不存在,命令在 {cwd} 中执行",
    "command.no_terminal": "提示: 命令没有终端,无法输入密码或回答提问;请改用不需要交互的方式,或请用户自己执行",
    "command.no_output": "(无输出)",
    "command.output": "输出:",
    "command.new_output": "新输出:",
    "command.no_new_output": "(没有新输出)",
    # Signals whose numbers are the same on Linux and macOS
    "signal.1": "挂断",
    "signal.2": "中断",
    "signal.3": "退出并转储",
    "signal.4": "非法指令",
    "signal.6": "程序自行中止",
    "signal.8": "算术错误",
    "signal.9": "强制终止(常见原因: 内存不足)",
    "signal.11": "段错误",
    "signal.13": "写入了已关闭的管道",
    "signal.15": "请求终止",
    # Long output
    "command.dropped": "… [此处 {bytes} 字节未保留] …",
    "command.omitted": "… [此处省略 {chars} 个字符,完整输出共 {size} 个字符] …",
    "command.omitted_dropped": "… [此处省略 {chars} 个字符,另有 {bytes} 字节未保留] …",
    "command.stored": "完整输出: {path}(共 {lines} 行,可用 read_file 分段读取)",
    "command.stored_partly": "所保留的输出: {path}(共 {lines} 行,可用 read_file 分段读取)",
    "command.not_stored": "完整输出未能保存: {reason}",
    # Background commands
    "command.background_started": (
        "后台命令 {id} 已启动。用 command_output 查看新输出,用 stop_command 停止;会话结束时它也会结束"
    ),
    "command.background_running": "{id} 正在运行,已 {seconds} s",
    "command.background_ended": "{id} 已结束: {how}",
    "command.background_stopped": "{id} 已停止,用时 {seconds} s",
    # Errors
    "command.unknown_id": "没有后台命令 {id};现有: {known}",
    "command.too_many_background": "后台命令已达 {limit} 个({ids}),请先用 stop_command 停止不需要的",
    "command.session_ended": "会话正在结束,不能再执行命令",
    "command.no_bash": "找不到 bash,无法执行命令",
    "command.too_long": "命令太长,系统不接受;请把内容写入文件后再执行",
    "command.has_nul": "命令含有 NUL 字符,无法执行",
    "command.not_started": "命令无法在 {cwd} 中启动: {reason}",
    # Projects
    "project.created": "已创建 {kind} 项目 {path}:\n{files}\n构建与测试: {how}",
    "project.exists": "{path} 已存在且不是空目录,未做任何改动;请换一个名字",
    "project.no_parent": "项目根目录已不存在,无法创建 {path}",
    "project.failed": "无法创建 {path}: {reason};没有留下任何文件",
    # Todo list
    "todo.saved": "待办清单已更新: 共 {total} 项,已完成 {completed},进行中 {in_progress},待办 {pending}",
}
