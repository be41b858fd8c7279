"""Chinese phrases that forbid the agent something; each row says what it means."""

import re

from paicli.policy.words.clauses import Clause
from paicli.policy.words.patterns import Rows, Triggers, compiled, patterns_for
from paicli.policy.words.restriction import Restriction

_STRONG = (
    r"(?:(?<![要该需])不要|(?<![特区级类识分判个性告鉴辨差])别|切勿|请勿|勿|严禁|禁止|不准|不许|不得|"
    r"切忌|甭|莫要|休要|"
    r"(?<![是])不想(?:让)?你|(?<![是])不希望你|不允许你|不让你|避免)"
)
"""Forbids wherever it stands in a clause."""

_WEAK = r"(?:不能|不可以?|不允许|不必|不用|无需|无须|不需要?|不应该?|没必要|不会|不)"
"""Forbids only at the beginning of a clause: `服务器不能联网` says how a server is."""

_OPENING = (
    r"(?:请|你|您|麻烦|务必|一定|千万|记得|记住|注意|本次|这次|本轮|此次|这回|全程|整个过程中?|过程中|"
    r"期间|另外|还有|并且?|而且|但是?|"
    r"不过|只是|同时|先|暂时|暂|目前|现在|今天|希望|我希望|我要求|要求|条件是|前提是|就|也|都|绝对|"
    r"必须|绝|任务|回答时|分析时|"
    r"执行时|处理时|做的时候|然后|所以|因此|因为|和|以及|再|只|而|任务要求|接下来|可以的话|可能的话|"
    r"如果可以|最好|尽量|能不能|可不可以|可否|可以|"
    r"能否|我|让|帮我|给我|从现在起|从现在开始|重要|规则|约束|限制|提醒)*"
)

_BETWEEN = (
    r"(?:你|您|再|去|来|给我|急着|着急|使用|用|进行|尝试|试图|随便|随意|擅自|私自|主动|自己|自行|偷偷|直接|任何|通过|"
    r"对外|到处|有任何|做任何|以任何方式|在任何情况下|动手|[帮替为]我|"
    r"在(?:终端|命令行|shell|bash|本机|我的?(?:机器|电脑))(?:里面?|中|上|内|下)?)*"
)

_NETWORK = (
    r"(?:(?:使用|用|借助|依赖)(?:任何)?搜索引擎|发(?:起|送|出)?(?:任何)?的?(?:网络|http|外部)请求|联网|连网|上网|联外网|连外网|(?:访问|使用|连接?|接入|请求|依赖|借助|用|碰|走)(?:到|上)?(?:外部|"
    r"公共|任何|其[他它])*(?:的)?(?:网络|互联网|外网|因特网|公网|internet)|"
    r"(?:搜索?|查询?|搜查|浏览|检索)(?:网络|互联网|网页|网上|外网)|网络(?:搜索|访问|请求|查询|连接)|"
    r"网上(?:搜|查|找)|(?:到|从|在)网上|"
    r"(?:百度|谷歌|google|必应|bing)(?:一下|搜索?|查询?|了|吧|$)|"
    r"网页?搜索|在线(?:搜索|查询|查找|查|检索)|出网|外联|go online|web[ _-]?search)"
)

_UNIVERSAL = (
    r"(?:(?:我|我们|项目|仓库|工程|现有|已有|原有|当前|本地|目前|这里|里面|这边)?的?(?:任何|所有|一切|"
    r"全部|整个|一行|一个|半行)?的?"
    r"(?:项目|仓库|工程|现有|已有|源|本地)?(?:中|里|内)?的?"
    r"(?:代码|源码|源代码|文件|东西|内容|项目|仓库|工程|地方|工作区|代码库|文档和代码|代码和文档|"
    r"代码或文件|文件或代码|任何|一切|它们?|他们?|字)(?:的(?:内容|代码))?)"
)

_CHANGE = (
    r"(?:(?:创建|新建|新增|添加|删除|移动|修改|改动|写入)(?:或者?|和|及|以及|与))?"
    r"(?:做|作|有|进行|实施)?(?:任何|一切|什么|实际|实质性?)?的?"
    r"(?:修改|改动|更改|变更|改写|编辑|写入|覆盖|改变|改|动手|动|碰|写|删改|删除|新增|修复|修)"
)

_END = (
    r"(?:了|哦|啊|呀|吧|呢|的|即可|就行|就好|就可以|先|而已|谢谢|哈|喔|噢|过|到|掉|一下|操作|行为|动作|任何|"
    r"什么|吗|好吗|行吗|可以吗|好不好|行不行|谢了|拜托)*$"
)

_COMMAND = (
    r"(?:执行|运行|跑|调用|使用|用|敲|发起|启动|输入)(?:任何|所有|一切|什么|一条|任意)?的?(?:shell|"
    r"bash|终端|命令行|系统|外部|本地|新)?的?"
    r"(?:命令|指令|shell|bash|终端|命令行|脚本|程序|代码|东西|任何东西|它)"
)

_DESCRIBED = (
    r"(?:(?<![我你])(?:说|写着|写道|提示|显示|报错|要求用户|规定|声明)|如果|若|假如|假设|万一|倘若|"
    r"要是|一旦|当|为什么|为何|怎么|如何|"
    r"是否|是不是|要不要|该不该|何时|无论|即使|哪怕|除非|除了|除|以外|之外|名为|叫做|所谓|关于|实现|"
    r"支持|功能|测试一下|"
    r"(?:测试|用例|单测|程序|应用|app|脚本|函数|方法|功能|模块|服务|服务器|组件|客户端|页面|网页|插件|"
    r"工具|它|该类|构建|流水线|ci|用户|机器|"
    r"设备|手机|系统|接口|线程|进程|类|子类|调用方|使用者|我们|他们|大家|生产环境|开发者)"
    r"(?:里|中|内|上|时|运行时|期间|都|也|就|必须|应该?|要|们|的时候|在运行时|一般|通常|永远|绝对|本身|"
    r"自己|之后|以后|可能|还|却|都应该)*$)"
)
"""Stands before the phrase in its clause: it tells of something, or of what is to be built."""

_EXCEPTED = r"除了|除非|以外|之外|其他|其它|其余|别的|另外的|unless|except"
_AFTER_DESCRIBED = (
    r"(?:的(?!$|情况下(?:完成|回答|做|分析|解释|进行)|前提下(?:完成|回答|做|分析|解释|进行)|话)|"
    r"也(?:能|可以|可|要|得|应该)?(?:正常)?(?:运行|工作|使用|用|跑|启动|打开|加载|编译|测试)|时(?!$)|吗$|情况|怎么|为什么|导致|报错|失败|是不是|就不能|就无法|会怎|能力|功能|模式|提示|"
    r"[^的]{1,6}的(?:逻辑|功能|代码|开关|按钮|选项|配置|模式|测试|用例|缓存|方案|版本|实现|地方|部分|设置|提示|检查))"
)
_OWN = r"我们?(?:自己|也|就|都|现在|目前|暂时|还)?不(?:会|能|可以)"
"""The person tells of themselves."""
_WRITING = r"(?:写|编写|实现|开发)[^,;]{0,12}(?:脚本|程序|工具|代码)"

_ASKING = r"(?:为什么|为何|怎么|如何|是否|是不是|要不要|该不该|能否知道|什么时候|哪些|哪个|谁)"

_OFFLINE_OPENING = (
    r"(?:请|你|您|麻烦|务必|一定|本次|这次|本轮|全程|全部|必须|只能|只许|仅|只|保持|要求|要|得|在|以|用|"
    r"使用|进入|开启|切到|切换到|切换成|都|就|现在|处于|完全|强制|任务|并|且|但|然后|我要求|我希望|希望|按|"
    r"条件|尽量|最好|可以的话|始终|一直|从现在起|从现在开始|今天)*"
)
_OFFLINE = (
    rf"{_OFFLINE_OPENING}(?:断网|离线)(?:下|状态下?|环境下?|模式下?|方式|的?情况下|的?条件下)?"
    r"(?:地|来)?(?:(?:完成|做完?|工作|进行|回答|作答|搞定|解决|操作|干活|办|弄|查看|看看|看一?下|解释|说明|总结|"
    r"推理|思考).*|(?:即可|就行|就好|吧|哦|谢谢|运行|执行|处理|分析|检查|调试|审查)*)"
)
_OFFLINE_ORDER = (
    r"(?:请|你|务必|全程|本次|这次|本轮)+(?:你|全程|在|都|保持|必须)*(?:断网|离线)(?:下|状态下|环境下|"
    r"模式下)?(?:处理|分析|检查|审查|调试|执行|运行).*"
)
_LOCAL_ONLY = (
    rf"{_OPENING}(?:只|仅|只能|只许|仅限)(?:允许|可以|能)?(?:使用|用|看|查|读|参考|依靠|依赖|"
    rf"基于)(?:本地|离线|已有)(?:的)?(?:资料|信息|文件|资源|内容|代码)(?:即可|就行|就好|吧)*$"
)

_READ_ONLY_OPENING = (
    r"(?:请|你|您|麻烦|务必|本次|这次|本轮|全程|保持|要求|必须|只能|仅|以|用|在|进入|使用|开启|切到|切换到|"
    r"按|处于|是|为|任务|一律|都|就|现在|先|暂时|并|且|但|模式|权限|我要求|我希望|希望|完全|严格|始终|一直|"
    r"对项目|对代码|对仓库|对这个项目|对这个仓库|今天|从现在起|这是一?个|"
    r"这一?轮|这一次|[这本]个?任务|这个问题|[帮给]我)*"
)
_READ_ONLY = (
    rf"{_READ_ONLY_OPENING}只读(?:的)?(?:模式|方式|状态|权限|操作|访问|分析|检查|查看|审查|任务|"
    rf"问题|浏览|即可|就行|就好|吧|下|一下|哦|地|来|进行|完成|回答|"
    r"代码|文件|源码|不写|不改|不修改|不动|不编辑|不要改|不要写|别改|别动|谢谢|看看|看一下|这个项目|"
    r"项目|仓库|这个仓库)*"
)
_LOOKING = r"(?:分析|检查|查看|看看|看一下|看|审查|浏览|评审|解释|说明|回答|总结|讲讲|告诉我?|列出|诊断|定位)"
_READ_ONLY_LOOK = (
    rf"{_READ_ONLY_OPENING}只读(?:模式|方式|状态|权限)?(?:下|的|地|来|去)?"
    rf"(?:{_LOOKING}(?!.*(?:功能|视图|开关|按钮|怎么|如何|模式的))|[!-~]+(?:然后|并且?|再|来){_LOOKING}).*|"
    rf"{_READ_ONLY_OPENING}只读https?"
)
"""What follows says what to look at; of a URL the clause ends at its colon."""
_MAY_ONLY_READ = (
    rf"{_READ_ONLY_OPENING}(?:你|您)?(?:只|仅)(?:可以?|能|许|允许|准许?)(?:你|您)?(?:读取?|看|查看|阅读|浏览)"
    rf"(?:{_UNIVERSAL})?{_END}"
)
_AS_IT_IS = (
    rf"{_OPENING}(?:保持{_UNIVERSAL}(?:原样|不变|不动|原封不动)|{_UNIVERSAL}(?:要|应该?|都|全部|一律|请|必须|先)*"
    rf"保持(?:原样|不变|不动|原封不动)){_END}"
)
_ONLY_LOOK = (
    r"(?:只|仅|光)(?:是|要|需要?|能|做)?(?:看|读|分析|查看|检查|回答|解释|说明|讲|评审|审查|浏览|"
    r"讨论|阅读|诊断|定位|给建议|给方案|给出方案|给出建议|提建议|出方案|列出|说)[^不别勿]{0,12}?"
    r"(?:不|别|不要|勿|不许|不准)(?:做|作|进行)?(?:任何)?(?:修改|改动|改|动手|动|写|编辑|碰|更改|修|删)"
    rf"(?:{_UNIVERSAL})?{_END}"
)
_NO_HANDS = rf"(?:不要|别|先别|先不要)(?:着急|急着)?(?:动手|动工|开工|实施|实现|开始改|开始写){_END}"

_ANYWHERE: Rows = (
    (Restriction.NO_NETWORK, rf"{_STRONG}{_BETWEEN}{_NETWORK}"),
    (Restriction.NO_NETWORK, rf"^{_OPENING}{_WEAK}{_BETWEEN}{_NETWORK}"),
    (Restriction.READ_ONLY, rf"{_STRONG}{_BETWEEN}{_CHANGE}{_UNIVERSAL}?{_END}"),
    (Restriction.READ_ONLY, rf"{_STRONG}{_BETWEEN}(?:对|把|将|往|在|给){_UNIVERSAL}(?:中|里|上|内)?{_CHANGE}{_END}"),
    (Restriction.READ_ONLY, rf"^{_OPENING}{_WEAK}{_BETWEEN}{_CHANGE}{_UNIVERSAL}?{_END}"),
    (
        Restriction.READ_ONLY,
        (rf"在?不{_CHANGE}(?:任何|一切|所有)(?:的)?(?:代码|文件|东西|内容|源码)的?(?:情况|前提|条件)下"),
    ),
    (Restriction.NO_COMMANDS, rf"{_STRONG}{_BETWEEN}{_COMMAND}{_END}"),
    (Restriction.NO_COMMANDS, rf"{_STRONG}{_BETWEEN}(?:执行|运行|跑){_END}"),
    (Restriction.NO_COMMANDS, rf"^{_OPENING}{_WEAK}{_BETWEEN}{_COMMAND}{_END}"),
    (Restriction.READ_ONLY, _ONLY_LOOK),
    (Restriction.READ_ONLY, _NO_HANDS),
)

_WHOLE: Rows = (
    (Restriction.NO_NETWORK, _OFFLINE),
    (Restriction.NO_NETWORK, _OFFLINE_ORDER),
    (Restriction.NO_NETWORK, _LOCAL_ONLY),
    (Restriction.READ_ONLY, _READ_ONLY),
    (Restriction.READ_ONLY, _READ_ONLY_LOOK),
    (Restriction.READ_ONLY, _MAY_ONLY_READ),
    (Restriction.READ_ONLY, _AS_IT_IS),
)
"""The clause is this and nothing else."""

_BUILDING = (
    r"支持|实现|应用|app|功能|离线可|让|使|用户|页面|客户端|做成|增加|添加|改成|改为|设为|设置|变成|"
    r"字段|属性|标记|声明|开发一|写一个|做一个|游戏|软件|小程序"
)
"""Before `离线` or `只读`, in the same sentence: it tells what is to be built."""


_TRIGGERS: Triggers = {
    Restriction.NO_NETWORK: (
        "网",
        "离线",
        "本地",
        "已有",
        "外联",
        "在线",
        "搜索引擎",
        "online",
        "web",
        "internet",
        "百度",
        "谷歌",
        "必应",
        "google",
        "bing",
    ),
    Restriction.READ_ONLY: (
        "读",
        "看",
        "保持",
        "阅",
        "览",
        "改",
        "动",
        "写",
        "碰",
        "编辑",
        "修",
        "变",
        "覆盖",
        "删",
        "新增",
        "开工",
        "实施",
        "实现",
    ),
    Restriction.NO_COMMANDS: (
        "命令",
        "指令",
        "shell",
        "bash",
        "终端",
        "执行",
        "运行",
        "跑",
        "脚本",
        "程序",
        "代码",
        "东西",
        "它",
    ),
}

_TASK_VERB = (
    r"分析|检查|看|解释|说明|总结|审查|浏览|评审|讨论|讲|介绍|列|找|查|读|诊断|定位|回答|告诉|修|改|写|实现|重构|优化|"
    r"调试|运行|跑|执行|测一下|测试一下|对比|比较|评估|整理|梳理|研究|理解|了解|帮|想|聊|说"
)
_SUBJECT_ENDING = (
    r"(?:(?:一行|一个字|半行|一点|一处)?(?:也|都|就|绝对|一律|全部?|统统|千万|请|先|暂时|目前|必须|一定|永远|这次|"
    r"本次|这里|的|,)*)$"
)
_WHOLE_SUBJECT = (
    rf"(?:{_UNIVERSAL}|什么|啥|哪里|哪儿|(?:这个|本|该|整个|我们?的?|你|您|大家|谁)?(?:项目|仓库|工程|代码库|工作区|目录下)?的?"
    r"(?:代码|文件|内容|东西|项目|仓库|工程|源码|我|你|您)?)*"
)


_ANOTHER_ORDER = rf"{_OPENING}(?:不要|别|请勿|不准|不许|不){_BETWEEN}[\u4e00-\u9fff]{{1,4}}(?:也|和|并且?|更|又|且)"
"""`不要提交也不要修改`: two orders in one clause."""


def _names_its_subject(before: str) -> bool:
    """Whether what stands before the prohibition names what it is about: `SegmentParser 和 test.sh 不要改`."""
    if compiled(_ANOTHER_ORDER).fullmatch(before):
        return False
    subject = compiled(_SUBJECT_ENDING).sub("", before)
    subject = subject[match.end() :] if (match := compiled(_OPENING).match(subject)) else subject
    return bool(subject and not compiled(_WHOLE_SUBJECT).fullmatch(subject) and not compiled(_TASK_VERB).match(subject))


_FORBIDS_CHANGE = rf"(?:{_STRONG}|一律不|{_WEAK}){_BETWEEN}{_CHANGE}"


def _goes_on_about_a_part(clause: Clause) -> bool:
    """Whether an earlier clause of the sentence forbids a change of something named: this one says it again."""
    for earlier in clause.before.split(":")[0].split(","):
        found = compiled(_FORBIDS_CHANGE).search(earlier.replace(" ", ""))
        if found and _names_its_subject(earlier.replace(" ", "")[: found.start()]):
            return True
    return False


def read_chinese(clause: Clause) -> set[Restriction]:
    """What the clause forbids the agent."""
    text = clause.text.replace("offline", "离线").replace("readonly", "只读").replace("read-only", "只读")
    text = text.replace("read only", "只读").replace(" ", "")
    if clause.is_question and compiled(_ASKING).search(text):
        return set()
    rows = patterns_for(text, _ANYWHERE, _TRIGGERS)
    found = {
        what
        for what, rule in rows
        for match in rule.finditer(text)
        if _is_order(text, match) and not (what is Restriction.READ_ONLY and _names_its_subject(text[: match.start()]))
    }
    if Restriction.READ_ONLY in found and clause.before and _goes_on_about_a_part(clause):
        found.remove(Restriction.READ_ONLY)
    if Restriction.NO_COMMANDS in found and "用" in text and compiled(_WRITING).search(clause.before):
        found.remove(Restriction.NO_COMMANDS)  # `写个脚本, 不要用 bash`: what it is to be written in
    whole = {what for what, rule in patterns_for(text, _WHOLE, _TRIGGERS) if rule.fullmatch(text)}
    if whole and not compiled(_BUILDING).search(clause.before):
        found |= whole
    return found


def _is_order(text: str, match: re.Match[str]) -> bool:
    before, after = text[: match.start()], text[match.end() :]
    if compiled(_DESCRIBED).search(before) or compiled(_EXCEPTED).search(text) or compiled(_OWN).match(match[0]):
        return False
    return not compiled(_AFTER_DESCRIBED).match(after)
