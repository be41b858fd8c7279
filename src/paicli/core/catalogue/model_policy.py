"""What a model reads about guards, approvals and denials; code → text (Chinese in both interface languages)."""

TEXTS: dict[str, str] = {
    # paths
    "policy.path_outside": "路径不在项目目录内: {path} (实际位置 {resolved})。请使用项目内的路径；其他目录需要用户用 /add-dir 加入。",
    "policy.path_protected": "受保护的位置, 不能读写: {path} (实际位置 {resolved})。",
    "policy.path_git": ".git 内部不能直接读写: {path} (实际位置 {resolved})。请改用 git 命令。",
    "policy.path_loop": "符号链接成环, 无法打开: {path} (停在 {resolved})。",
    "policy.path_unusable": "不是可用的路径 (为空、过长、含 NUL 或无法编码): {path}",
}
