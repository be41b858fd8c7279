"""What a model reads about guards, approvals and denials; code → text (Chinese in both interface languages)."""

_REFUSED = "命令被拒绝, 没有执行: {matched} (REASON)。任何模式下都不会放行, 请换一种做法。"

_REASONS = {
    "delete": "不能删除根目录、主目录、项目目录、其上级目录或系统目录",
    "privilege": "不能使用 sudo、su 等提权命令",
    "disk": "不能格式化或直接写入磁盘设备",
    "fork_bomb": "这是 fork 炸弹",
    "shutdown": "不能关机或重启",
    "fetched_code": "不能直接执行下载或解码得到的代码; 请先保存并查看内容",
    "permissions": "不能递归修改根目录、主目录或系统目录的权限",
    "force_push": "不能强制推送、删除受保护的分支, 强制推送必须写明分支",
    "startup_file": "不能改写 shell 启动文件或登录配置",
    "history_file": "不能改写命令历史文件",
    "own_settings": "不能用命令改写 paicli 自己的目录",
    "kill_all": "不能结束所有进程或 1 号进程",
    "crontab": "不能改写或清空定时任务",
}

TEXTS: dict[str, str] = {
    # paths
    "policy.path_outside": (
        "路径不在项目目录内: {path} (实际位置 {resolved})。请使用项目内的路径, 其他目录需要用户用 /add-dir 加入。"
    ),
    "policy.path_protected": "受保护的位置, 不能读写: {path} (实际位置 {resolved})。",
    "policy.path_git": ".git 内部不能直接读写: {path} (实际位置 {resolved})。请改用 git 命令。",
    "policy.path_loop": "符号链接成环, 无法打开: {path} (停在 {resolved})。",
    "policy.path_unusable": "不是可用的路径: {path} (为空、过长、含 NUL 或无法编码)。",
    # commands: refused
    **{f"policy.command_{what}": _REFUSED.replace("REASON", reason) for what, reason in _REASONS.items()},
    # commands: a review or a person has to look
    "policy.command_outside": "会递归删除项目之外的内容: {matched}",
    "policy.command_repository": "会直接改动 .git 内部: {matched}",
    "policy.command_startup_setting": "会改变所有仓库都使用的 git 设置, 以后会由它启动程序: {matched}",
    "policy.command_unknown_target": "要改动的位置只有运行时才知道: {matched}",
    "policy.command_unknown_part": "要执行的内容只有运行时才知道: {matched}",
    "policy.command_unparsed": "无法可靠解析这条命令: {matched}",
    "policy.command_too_long": "命令太长, 无法解析: {matched}",
}
