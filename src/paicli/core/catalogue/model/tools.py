"""What a model reads about tools and their results; code → text (Chinese in both interface languages)."""

TEXTS: dict[str, str] = {
    # paths and what stands there
    "files.not_found": "{path} 不存在。",
    "files.base_gone": "项目目录已不存在(被删除或移动),无法访问 {path}。不要换名字重试;请告诉用户。",
    "files.not_found_similar": "{path} 不存在。有一个写法相近的名字:{similar};要修改它,请给出准确的名字。",
    "files.look_alike": "[没有 {given} 这个准确的名字,读取的是唯一写法相近的 {found}]",
    "files.is_folder": "{path} 是目录,请用 list_dir。",
    "files.is_link": "{path} 是符号链接,无法直接读写。",
    "files.is_fifo": "{path} 是命名管道,不是普通文件,不能读写。",
    "files.is_socket": "{path} 是套接字,不是普通文件,不能读写。",
    "files.is_device": "{path} 是设备文件,不是普通文件,不能读写。",
    "files.not_a_folder": "{path} 不是目录,或它的某个上级不是目录。",
    "files.moved": "{path} 的路径刚被替换成了符号链接,没有读写。请重试。",
    "files.no_permission": "没有权限访问 {path}。",
    "files.system_error": "{path} 读写失败:{what}",
    # reading
    "files.binary": "{path} 是二进制文件({kind},{size}),不显示内容。",
    "files.kind_unknown": "未知类型",
    "files.empty": "(空文件)",
    "files.encoding": "[编码:{encoding}]",
    "files.offset_beyond": "{path} 只有 {total} 行。",
    "files.more_lines": "[已显示第 {first}-{last} 行,后面还有;续读:offset={next}]",
    "files.line_cut": "…[本行共 {length} 个字符,已截断;续读:offset={number} limit=1 column={next}]",
    "files.line_ends": "[行尾,本行共 {length} 个字符]",
    "files.empty_folder": "(空目录)",
    "files.entries_cut": "[只列出 {shown} 项,还有至少 {count} 项;请列出更小的目录或减小 depth]",
    "files.ignored": "[.git 和 .gitignore 忽略的 {count} 项未列出]",
    # writing
    "files.created": "已创建 {path}(+{added} 行)。",
    "files.written": "已写入 {path}(+{added} -{removed} 行)。",
    "files.edited": "已修改 {path}:第 {lines} 行(+{added} -{removed} 行)。",
    "files.unchanged": "{path} 的内容本来就是这样,没有改动。",
    "files.unread": "{path} 已存在,但你还没有读过它,没有写入。{writer}请先 read_file,再决定怎么改。",
    "files.stale": "{path} 在你读取之后被改动过,没有写入。{writer}请重新 read_file,再决定怎么改。",
    "files.gone": "{path} 在你读取之后被删除了,没有写入。请重新 read_file 确认,再决定是否新建。",
    "files.last_writer": "最近写入它的是 {writer}。",
    "files.changed_while_writing": "{path} 在写入的同时被别的程序改动,没有写入。请重新 read_file。",
    "files.too_large": "{path} 的内容有 {size},超过 5 MB,不能用这个工具写。",
    "files.read_only": "{path} 是只读文件,没有写入。",
    "files.read_only_folder": "{path} 所在的目录是只读的,没有写入。",
    "files.binary_not_writable": "{path} 是二进制文件,不能用这个工具修改。",
    "files.encoding_changed": "注意:内容无法用原来的编码 {encoding} 表示,文件已改为 UTF-8。",
    # edits
    "edit.where": "第 {number} 处编辑:",
    "edit.arguments": "请给出 old_text 和 new_text,或者只给出 edits。没有修改。",
    "edit.old_empty": "{where}old_text 不能为空。没有修改;新建文件请用 write_file。",
    "edit.same": "{where}old_text 和 new_text 相同,没有修改。",
    "edit.several": (
        "{where}old_text 匹配了 {count} 处(第 {lines} 行),没有修改。请加上前后文使它唯一,或用 replace_all。"
    ),
    "edit.not_found": "{where}{path} 中没有 old_text,没有修改。{nearest}",
    "edit.not_found_for_all": (
        "{where}{path} 中没有与 old_text 完全一致的内容(replace_all 只做精确匹配),没有修改。{nearest}"
    ),
    "edit.stale": (
        "{where}{path} 在你读取之后被改动过,old_text 已不在其中,没有修改。{writer}请重新 read_file。{nearest}"
    ),
    "edit.nearest_none": "文件里也没有相近的行。",
    "edit.nearest": "最接近的是:\n{lines}\n第 {number} 行不同:{what}",
    "edit.differs_indent": "缩进不同",
    "edit.differs_trailing": "行尾空白不同",
    "edit.differs_case": "大小写不同",
    "edit.differs_blank": "一边是空行",
    "edit.differs_end": "文件到此结束",
    "edit.differs_ends": "只有换行符或文件末尾的换行不同",
    "edit.differs_at": "从第 {column} 个字符起,文件中是 {file},old_text 中是 {given}",
    "edit.not_encodable": "文件编码 {encoding} 无法表示字符 {character},没有修改。",
    "edit.not_faithful": "文件编码 {encoding} 无法逐字节还原,没有修改。",
    "edit.corrected": "注意:old_text 与文件不完全一致(空白、标点、换行或行号),已改在唯一对应的位置。",
    # questions to the person
    "ask_user.answered": "用户的回答:{answer}",
    "ask_user.nobody": "没有人可以回答。请按最稳妥的理解继续,并说明你的假设。",
    # searches
    "search.glob_outside": "模式 {pattern} 不可用:它要相对于 path,不能为空、以 / 开头或含 ..。",
    "search.glob_too_many": "模式 {pattern} 的花括号展开太多。",
    "search.no_files": "没有匹配的文件。",
    "search.files_cut": "[共 {count} 个文件,只列出最新的 {shown} 个;请缩小 pattern 或 path]",
    "search.pattern_unusable": "pattern 不能为空,也不能含换行:搜索是逐行进行的。",
    "search.pattern_invalid": (
        "正则表达式 {pattern} 的第 {position} 个字符处有错:{what}。按字面搜索请用 literal=true。"
    ),
    "search.nothing": "没有匹配。",
    "search.cut": "[匹配超过 {count} 条,只列出前 {count} 条;请缩小 pattern、path 或 glob]",
    "search.incomplete": "[{seconds} 秒内没有搜完,结果不完整;请缩小 path 或 glob]",
    "search.timed_out": "{seconds} 秒内没有搜完,还没有找到匹配。请缩小 path 或 glob,或换一个更简单的 pattern。",
}
