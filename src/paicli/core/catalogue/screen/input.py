"""What a person reads about what they type: mentions, completion, the editor, pastes, PAI.md; code → (zh, en)."""

_MENTIONS: dict[str, tuple[str, str]] = {
    "mention.attached": ("📎 已附上: {names}", "📎 Attached: {names}"),
    "mention.cut": ("📎 太长,只附上前一部分: {path}", "📎 Too long, only the first part was attached: {path}"),
    "mention.left_out": (
        "📎 最多附上 5 个文件、共 100,000 个字符,未附: {path}",
        "📎 At most 5 files and 100,000 characters are attached; left out: {path}",
    ),
    "mention.missing": ("@{path} 不存在,按原文发送", "@{path} does not exist: sent as you wrote it"),
    "mention.outside": (
        "@{path} 在项目之外或受保护,没有附上",
        "@{path} is outside the project or protected: not attached",
    ),
    "mention.no_file": ("@{path} 不是普通文件,没有附上", "@{path} is no regular file: not attached"),
    "mention.no_permission": ("@{path} 没有读取权限,没有附上", "@{path}: no permission to read it, not attached"),
    "mention.unreadable": ("@{path} 无法读取,没有附上", "@{path} can't be read: not attached"),
    "mention.binary": ("@{path} 是二进制文件,没有附上", "@{path} is a binary file: not attached"),
    "mention.image": (
        "{path} 是图片: 当前模型只能看文字,没有附上",
        "{path} is an image: this model gets text only, so it was not attached",
    ),
    "mention.images_attached": ("📎 已附上图片: {names}", "📎 Images attached: {names}"),
    "mention.image_unknown": (
        "{path} 的内容不是 PNG、JPEG、GIF 或 WebP 图片,没有附上",
        "{path} holds no PNG, JPEG, GIF or WebP image: not attached",
    ),
    "mention.image_too_large": ("{path} 超过 5 MB,没有附上", "{path} is larger than 5 MB: not attached"),
    "mention.image_outside": (
        "{path} 在项目之外或受保护,没有附上",
        "{path} is outside the project or protected: not attached",
    ),
    "mention.image_unreadable": ("{path} 无法读取,没有附上", "{path} can't be read: not attached"),
    "mention.images_left_out": (
        "📎 最多附上 5 张图片,未附: {path}",
        "📎 At most 5 images are attached; left out: {path}",
    ),
    "mention.images_for_planner": (
        "📎 图片只随目标发给规划器,各任务看不到",
        "📎 Images go to the planner with the goal; the tasks don't see them",
    ),
}

_RULES: dict[str, tuple[str, str]] = {
    "rule.added": ("已写入 {path},下一次对话起生效", "Added to {path}; it holds from the next conversation on"),
    "rule.failed": ("无法写入 {path}: {reason}", "Can't write to {path}: {reason}"),
    "rule.empty": ("用法: #文字,把一行规则写入 PAI.md", "Usage: #text adds a line to PAI.md"),
}

_COMPLETION: dict[str, tuple[str, str]] = {
    "complete.folder": ("文件夹", "folder"),
    "complete.rule": ("把这一行写入 PAI.md", "adds this line to PAI.md"),
    "complete.shell": ("直接执行 shell 命令", "runs a shell command yourself"),
}

_EDITOR: dict[str, tuple[str, str]] = {
    "editor.none": (
        "没有可用的编辑器,请设置 $VISUAL 或 $EDITOR",
        "No editor was found: set $VISUAL or $EDITOR",
    ),
    "editor.failed": (
        "编辑器 {editor} 出错({reason}),输入保持不变",
        "{editor} failed ({reason}): the input stays as it was",
    ),
}

_PICTURES: dict[str, tuple[str, str]] = {
    "picture.placeholder": ("[图片 #{number}]", "[Image #{number}]"),
    "picture.none": ("剪贴板里没有图片", "The clipboard holds no image"),
    "picture.no_program": (
        "没有找到能读取剪贴板图片的程序(wl-paste、xclip、pngpaste 或 osascript),可以用 @路径 附上图片",
        "No program was found that reads images from the clipboard (wl-paste, xclip, pngpaste or osascript); "
        "@path attaches an image too",
    ),
    "picture.failed": (
        "{program} 读取剪贴板失败({reason})",
        "{program} could not read the clipboard ({reason})",
    ),
    "picture.too_large": (
        "剪贴板里的图片超过 5 MB,没有附上",
        "The clipboard's image is larger than 5 MB: not attached",
    ),
    "picture.unknown": (
        "剪贴板里的内容不是 PNG、JPEG、GIF 或 WebP 图片,没有附上",
        "The clipboard holds no PNG, JPEG, GIF or WebP image: not attached",
    ),
    "picture.not_kept": ("无法写入 {path}: {reason}", "Can't write to {path}: {reason}"),
    "picture.unseen": (
        "当前模型只能看文字,没有附上图片(/model 换一个模型)",
        "This model gets text only, so no image was attached (/model chooses another)",
    ),
}

TEXTS: dict[str, tuple[str, str]] = {**_MENTIONS, **_RULES, **_COMPLETION, **_EDITOR, **_PICTURES}
