"""What a person reads about guards and rules; code → (zh, en)."""

TEXTS: dict[str, tuple[str, str]] = {
    "policy.added_folder_missing": ("要加入的目录不存在: {path}", "No such folder to add: {path}"),
    "policy.added_folder_protected": (
        "受保护的目录不能加入: {path} (实际位置 {resolved})",
        "A protected folder can't be added: {path} (really {resolved})",
    ),
    "policy.rule_syntax": (
        "{where}权限规则写法不对: {rule}; 应为 工具名 或 工具名(模式)",
        "{where}malformed permission rule: {rule}; wanted: tool or tool(pattern)",
    ),
    "policy.rule_unknown_tool": (
        "{where}权限规则里没有这个工具: {rule}",
        "{where}no such tool in permission rule: {rule}",
    ),
    "policy.rule_never_matches": (
        "{where}权限规则永远不会匹配: {rule}",
        "{where}this permission rule would never match: {rule}",
    ),
    # the command guard: refused
    "policy.command_delete": (
        "已拒绝 {matched}: 不能删除根目录、主目录、项目目录、其上级目录或系统目录",
        "Refused {matched}: deleting /, the home folder, the project, their parents or system folders is refused",
    ),
    "policy.command_privilege": (
        "已拒绝 {matched}: 不能使用 sudo、su 等提权命令",
        "Refused {matched}: sudo, su and their kin are refused",
    ),
    "policy.command_disk": (
        "已拒绝 {matched}: 不能格式化或直接写入磁盘设备",
        "Refused {matched}: formatting a disk or writing to its device is refused",
    ),
    "policy.command_fork_bomb": ("已拒绝 {matched}: 这是 fork 炸弹", "Refused {matched}: this is a fork bomb"),
    "policy.command_shutdown": (
        "已拒绝 {matched}: 不能关机或重启",
        "Refused {matched}: shutting down or restarting the machine is refused",
    ),
    "policy.command_fetched_code": (
        "已拒绝 {matched}: 不能直接执行下载或解码得到的代码; 请先保存并查看内容",
        "Refused {matched}: running code straight from a download or a decoder is refused; save and read it first",
    ),
    "policy.command_permissions": (
        "已拒绝 {matched}: 不能递归修改根目录、主目录或系统目录的权限",
        "Refused {matched}: changing permissions of /, the home folder or system folders recursively is refused",
    ),
    "policy.command_force_push": (
        "已拒绝 {matched}: 不能强制推送、删除受保护的分支, 强制推送必须写明分支",
        "Refused {matched}: a forced push has to name its branch, and never a protected one",
    ),
    "policy.command_startup_file": (
        "已拒绝 {matched}: 不能改写 shell 启动文件或登录配置",
        "Refused {matched}: writing to files that run at login or shell start is refused",
    ),
    "policy.command_history_file": (
        "已拒绝 {matched}: 不能改写命令历史文件",
        "Refused {matched}: writing to history files is refused",
    ),
    "policy.command_own_settings": (
        "已拒绝 {matched}: 不能用命令改写 paicli 自己的目录",
        "Refused {matched}: commands may not write to paicli's own folder",
    ),
    "policy.command_kill_all": (
        "已拒绝 {matched}: 不能结束所有进程或 1 号进程",
        "Refused {matched}: ending all processes or process 1 is refused",
    ),
    "policy.command_crontab": (
        "已拒绝 {matched}: 不能改写或清空定时任务",
        "Refused {matched}: changing or removing the crontab is refused",
    ),
    # the command guard: a review or a person has to look
    "policy.command_outside": (
        "需要确认 {matched}: 会递归删除项目之外的内容",
        "To be confirmed {matched}: it deletes folders outside the project",
    ),
    "policy.command_repository": (
        "需要确认 {matched}: 会直接改动 .git 内部",
        "To be confirmed {matched}: it changes the inside of .git directly",
    ),
    "policy.command_startup_setting": (
        "需要确认 {matched}: 会改变所有仓库都使用的 git 设置, 以后会由它启动程序",
        "To be confirmed {matched}: it changes git settings of all repositories, and git will start programs by them",
    ),
    "policy.command_unknown_target": (
        "需要确认 {matched}: 要改动的位置只有运行时才知道",
        "To be confirmed {matched}: what it would change is only known when it runs",
    ),
    "policy.command_unknown_part": (
        "需要确认 {matched}: 要执行的内容只有运行时才知道",
        "To be confirmed {matched}: what it would run is only known when it runs",
    ),
    "policy.command_unparsed": (
        "需要确认 {matched}: 无法可靠解析这条命令",
        "To be confirmed {matched}: the command can't be parsed with certainty",
    ),
    "policy.command_too_long": (
        "需要确认 {matched}: 命令太长, 无法解析",
        "To be confirmed {matched}: the command is too long to be parsed",
    ),
}
