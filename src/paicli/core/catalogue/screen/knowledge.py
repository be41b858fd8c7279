"""Texts for people about the files of rules, the memory, and skills."""

_RULES: dict[str, tuple[str, str]] = {
    "session.rules_cut": (
        "项目规则合计超过 {limit} 个字符,没有读全: {path}",
        "The project's rules are longer than {limit} characters in all; not read to their end: {path}",
    ),
    "session.rules_import_missing": (
        "{by} 引入的 @{path} 不存在",
        "{by} imports @{path}, which is not there",
    ),
    "session.rules_import_outside": (
        "{by} 引入的 @{path} 在允许的文件夹之外,没有读入",
        "{by} imports @{path}, which lies outside the folder it may import from: not read",
    ),
    "session.rules_import_secret": (
        "{by} 引入的 @{path} 可能含有密钥,没有读入",
        "{by} imports @{path}, which may hold keys: not read",
    ),
    "session.rules_import_too_deep": (
        "{by} 引入的 @{path} 超过 {limit} 层,没有读入",
        "{by} imports @{path}, more than {limit} files deep: not read",
    ),
    "session.rules_too_many_imports": (
        "项目规则里的 @ 引入超过 {limit} 个,从 {path} 起没有再读",
        "The project's rules hold more than {limit} @ imports; none was read from {path} on",
    ),
    "session.rules_row": ("  {number}. {file}", "  {number}. {file}"),
    "session.rules_row_imported": ("  {number}. {file},由 {by} 引入", "  {number}. {file}, imported by {by}"),
    "session.memory_none": ("没有读到 PAI.md;/init 写一个", "No PAI.md was loaded; /init writes one"),
    "session.memory_usage": (
        "用法: /memory、/memory edit [N]、/memory forget N",
        "Usage: /memory, /memory edit [N], /memory forget N",
    ),
    "session.memory_hint": (
        "/memory edit [N] 打开第 N 个文件(不写 N: 最近的那个)",
        "/memory edit [N] opens file N (without N: the nearest)",
    ),
    "session.memory_no_file": ("没有第 {number} 个文件", "There is no file {number}"),
}

_MEMORY: dict[str, tuple[str, str]] = {
    "memory.title": ("记忆 {path}:", "Memory {path}:"),
    "memory.row": ("  {number}. {line}", "  {number}. {line}"),
    "memory.hint": ("/memory forget N 删除一条", "/memory forget N takes a line out"),
    "memory.none": ("还没有记忆;/save 文字 记下一条", "Nothing is remembered yet; /save TEXT keeps a line"),
    "memory.no_line": ("没有第 {number} 条记忆", "There is no memory {number}"),
    "memory.forgotten": ("已忘记: {text}", "Forgotten: {text}"),
    "memory.known": ("已经记着: {text}", "Remembered already: {text}"),
    "memory.empty": ("没有要记住的文字", "There is no text to remember"),
    "memory.too_long": (
        "要记住的文字有 {count} 个字符,最多 {limit} 个",
        "The text to remember has {count} characters; at most {limit} are kept",
    ),
    "memory.full": (
        "记忆文件 {path} 超过 {limit} 字节,请先删去一些",
        "The memory file {path} is longer than {limit} bytes: take something out first",
    ),
    "memory.unreadable": ("读不了记忆文件 {path}: {reason}", "The memory file {path} can't be read: {reason}"),
    "memory.unwritable": ("写不了记忆文件 {path}: {reason}", "The memory file {path} can't be written: {reason}"),
    "memory.save_usage": ("用法: /save 文字", "Usage: /save TEXT"),
}

_SKILLS: dict[str, tuple[str, str]] = {
    "skills.none": (
        "没有技能。技能是 .paicli/skills/NAME/SKILL.md(或 .agents、.claude 下,项目或主目录)",
        "No skills. A skill is .paicli/skills/NAME/SKILL.md (or below .agents, .claude; in a project or your home)",
    ),
    "skills.title": ("技能:", "Skills:"),
    "skills.row": ("  {name} ({source}): {description}", "  {name} ({source}): {description}"),
    "skills.row_off": ("  {name} ({source}, 已关闭): {description}", "  {name} ({source}, off): {description}"),
    "skills.row_unlisted": (
        "  {name} ({source}, 放不进提示词,可按名称加载): {description}",
        "  {name} ({source}, no room in the prompt, loaded by name): {description}",
    ),
    "skills.source_project": ("项目", "project"),
    "skills.source_user": ("个人", "yours"),
    "skills.source_packaged": ("自带", "packaged"),
    "skills.hint": (
        "/skill show NAME 查看内容;/skill on|off NAME 开关,下一个对话生效",
        "/skill show NAME shows its text; /skill on|off NAME switches it, from the next conversation on",
    ),
    "skills.usage": (
        "用法: /skill [list|show NAME|on NAME|off NAME]",
        "Usage: /skill [list|show NAME|on NAME|off NAME]",
    ),
    "skills.unknown": ("没有技能 {name}。已有: {known}", "There is no skill {name}. There are: {known}"),
    "skills.switched_on": ("技能 {name} 已打开,下一个对话生效", "Skill {name} is on from the next conversation"),
    "skills.switched_off": ("技能 {name} 已关闭,下一个对话生效", "Skill {name} is off from the next conversation"),
    "skills.off_by_project": (
        "技能 {name} 被 {path} 关闭,在那里打开",
        "Skill {name} is switched off by {path}: switch it on there",
    ),
    "skills.untrusted": (
        "技能 {name} 带有文本以外的文件,文件夹未被信任,没有使用: {path}",
        "Skill {name} comes with more than text and its folder is not trusted, so it is not used: {path}",
    ),
    "skills.outside": (
        "技能文件 {path} 是指向技能文件夹或项目之外的链接,没有使用",
        "The skill file {path} is a link that leads out of its folder or the project: not used",
    ),
    "skills.unreadable": ("读不了技能 {path}: {reason}", "The skill {path} can't be read: {reason}"),
    "skills.too_large": ("技能文件 {path} 超过 {limit} 字节", "The skill file {path} is longer than {limit} bytes"),
    "skills.too_many": (
        "{path} 里的技能超过 {limit} 个,其余没有读",
        "{path} holds more than {limit} skills; the rest was not read",
    ),
    "skills.not_utf8": ("技能文件 {path} 不是 UTF-8 文本", "The skill file {path} is no UTF-8 text"),
    "skills.no_front_matter": (
        "技能文件 {path} 开头没有 --- 之间的 name 和 description",
        "The skill file {path} does not begin with name and description between two lines of ---",
    ),
    "skills.bad_name": (
        "技能 {path} 的名称 {name} 不能用: 只能是小写字母、数字、- 和 _,以字母或数字开头,最多 64 个字符",
        "The skill {path} can't be called {name}: lower-case letters, digits, - and _, the first a letter or digit, "
        "64 characters at most",
    ),
    "skills.no_description": ("技能文件 {path} 没有 description", "The skill file {path} has no description"),
    "skills.no_body": (
        "技能文件 {path} 在 --- 之后没有内容",
        "The skill file {path} has no text below its front matter",
    ),
    "session.context_memory": ("记忆", "memory"),
    "session.context_skills": ("技能", "skills"),
    "doctor.prompts": ("提示词: 都是自带的", "prompts: all as packaged"),
    "doctor.prompts_own": (
        "提示词: {path} 里有自己的版本: {names}",
        "prompts: your own versions in {path}: {names}",
    ),
    "doctor.prompts_unknown": (
        "提示词: {path} 里有没人读的文件: {names}",
        "prompts: files in {path} that nobody reads: {names}",
    ),
}

TEXTS: dict[str, tuple[str, str]] = {**_RULES, **_MEMORY, **_SKILLS}
