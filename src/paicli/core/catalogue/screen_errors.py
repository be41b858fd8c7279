"""What a person reads about errors; code → (zh, en)."""

TEXTS: dict[str, tuple[str, str]] = {
    "policy.added_folder_missing": ("要加入的目录不存在: {path}", "No such folder to add: {path}"),
    "policy.added_folder_protected": (
        "受保护的目录不能加入: {path} (实际位置 {resolved})",
        "A protected folder can't be added: {path} (really {resolved})",
    ),
}
