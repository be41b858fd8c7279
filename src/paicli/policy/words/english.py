"""English phrases that forbid the agent something; each row says what it means."""

import re

from paicli.policy.words.clauses import Clause
from paicli.policy.words.patterns import Rows, Triggers, compiled, patterns_for
from paicli.policy.words.restriction import Restriction

_NOT = (
    r"(?:(?:i|we) (?:do not|don't|would not|wouldn't|never) (?:want|need|expect|allow|permit|like) you to|"
    r"i(?:'d| would) (?:rather|prefer)(?: that| if)? you (?:didn't|did not|don't|do not|not)|"
    r"do not|don't|dont|do n't|never|must not|mustn't|should not|shouldn't|may not|can't|cannot|"
    r"can not|are not to|"
    r"aren't to|are not allowed to|aren't allowed to|are not permitted to|are forbidden to|not|avoid|refrain from|"
    r"no need to|need not|needn't|under no circumstances|on no account|in no case|you won't|will not|"
    r"won't|stop|please don't)"
)
_BETWEEN = (
    r"(?: (?:ever|even|try to|attempt to|please|just yet|actually|go and|go ahead and|start|be|you dare|dare|"
    r"in any way|under any circumstances))*"
)

_WEB = r"(?:internet|network|web|net|outside world|world wide web|inter-?webs?)"
_NETWORK = (
    rf"(?:go(?:ing)? (?:on-?line|on line|to the {_WEB}|on the {_WEB}|out to the {_WEB}|onto the {_WEB})|"
    rf"get(?:ting)? online|"
    rf"(?:us|access|touch|reach|hit|query|contact|mak)(?:e|ing)? (?:of )?(?:the |any )?{_WEB}(?: access|"
    rf" search(?:es)?| requests?| calls?| connections?)?|"
    rf"mak(?:e|ing) (?:any )?(?:network|web|http|internet|external|outbound) (?:requests?|calls?|connections?)|"
    rf"(?:connect|connecting) (?:to )?(?:the |any )?{_WEB}|use (?:the )?web_?(?:search|fetch)|"
    rf"(?:search|searching|brows(?:e|ing)|surf|surfing|query|querying|consult|consulting|check|"
    rf"checking) (?:the )?(?:{_WEB}|online)|"
    r"(?:search|searching|look|looking) (?:for )?(?:it |this |that |things |anything |stuff |"
    r"them )?(?:up )?(?:online|on the (?:web|internet|net))|"
    r"web[- _]?search(?:es|ing)?(?: it| anything| for)?|google(?: it| anything| this)?|be online|"
    r"(?:use|using|ask|asking) (?:a |any |the )?search engines?|"
    rf"(?:fetch|download|pull)(?:ing)? (?:anything|things|stuff) (?:from the {_WEB}|online))"
)

_NOT_THE_WEB = (
    r"(?! (?:modules?|packages?|library|libraries|class|functions?|components?|layer|tab|panel|interfaces?|drivers?|"
    r"stack|hook|prefix|namespace|templates?|apps?|pages?|servers?|frameworks?|views?|forms?|sockets?|workers?|storage|"
    r"api|manager|names?|mode|config|settings?)\b)"
)
_ALL = (
    r"(?:anything(?: at all)?|any ?thing|any (?:of (?:the |my |our )?)?(?:source |project |"
    r"existing )?(?:files?|code|sources?|lines?)|"
    r"(?:the |my |our |this |these |those |that |existing |any existing |the existing |the source |"
    r"source )?(?:code|codebase|code base|files|project|repo|repository|sources?|source code|workspace|"
    r"working tree|contents?)|"
    r"a thing|things|it|them|stuff|this|that|a single (?:line|file|thing)|one line|(?:the )?(?:code|"
    r"files) (?:or|and) (?:code|files)|to (?:disk|any files?|files|the disk))"
)
_CHANGE = (
    r"(?:chang(?:e|ing)|modify(?:ing)?|edit(?:ing)?|alter(?:ing)?|touch(?:ing)?|writ(?:e|ing)|updat(?:e|"
    r"ing)|overwrit(?:e|ing)|"
    r"delet(?:e|ing)|mess(?:ing)? with|fix(?:ing)?|implement(?:ing)?|rewrit(?:e|ing)|creat(?:e|ing)|"
    r"tamper(?:ing)? with|patch(?:ing)?|"
    r"apply(?:ing)?)"
)
_CHANGES = (
    r"(?:any |actual |code |file |real )*(?:code |file )?(?:changes?|edits?|modifications?|"
    r"alterations?)(?: to (?:it|anything|any files?|(?:the |my |our )?(?:code|files|codebase|repo|repository|"
    r"project)))?"
)
_RUN = r"(?:run(?:ning)?|execut(?:e|ing)|launch(?:ing)?|invok(?:e|ing)|us(?:e|ing)|issu(?:e|ing)|call(?:ing)?)"
_COMMANDS = (
    r"(?:(?:any |the |a |your )?(?:shell |terminal |bash |system |command[- ]line |console |cli )*"
    r"(?:commands?|shell|terminal|bash|command[- ]line|console)(?: at all)?|execute_command)"
)
_RUNNABLE = (
    r"(?:anything(?: at all)?|any ?thing|(?:any |the |my |this |that )?(?:code|scripts?|programs?)|it|this|"
    r"that|them|stuff)"
)

_END = (
    r"(?: (?:yet|please|for now|at all|here|just|now|right now|ever|today|either|though|ok|okay|thanks|"
    r"thank you|pls|"
    r"in (?:the|this|my|our) (?:repo|repository|project|codebase|workspace|folder|directory|turn|session|"
    r"task|step)|on disk|"
    r"for this(?: one| task| turn)?|this time|this turn|during this (?:task|turn)|yourself|for me|"
    r"(?:until|before|without|while|when|as (?:i|we|you|it|this|that|they)|because|since|till|"
    r"unless you ask|so|and|but|or|only|then|"
    r"i just|i only|i'm|it's) ?.*|in any way|under any circumstances))*\W*$"
)

_AGENT_BEFORE = (
    r"(?:^|\b(?:and|but|also|please|just|so|then|you|or|note|important|remember|now|however|yet|thanks|"
    r"only|still|again|"
    r"first|here|there|ok|okay|pls|kindly|absolutely|strictly|definitely|always|time|task|turn|must|"
    r"should|shall|instead|"
    r"to|rules?|constraints?|requirements?|warning|btw|though|meanwhile|together|thing|be careful|careful|"
    r"sure|ensure)[\s▢]*)$"
)
"""What may stand directly before an imperative."""

_SUBJECT_BEFORE = (
    r"\b(?:i|we|they|he|she|who|which|that|these|those|people|it|users?|app|apps|tests?|clients?|"
    r"customers?|devs?|developers?|"
    r"most|some|many|[a-z]+s|to)\s*$"
)
"""Somebody else does it, or does not."""
_PLAIN_ENDING_IN_S = (
    r"\b(?:this|please|is|as|us|always|unless|yes|thanks|its|docs|pls|files|changes|classes|ts|js|css)\s*$"
)
_TELLING = (
    r"\b(?:why|how|when|whenever|if|whether|what|because|since|where|says?|said|told|wrote|reads?|states?|"
    r"claims?|unless|"
    r"instead of|rather than|case|cases|so that|such that|ensure that|error|message|app|application|"
    r"function|method|"
    r"class|script|program|service|client|server|users?|tests?|component|page|game|plugin|feature|mode|"
    r"it should|it must|which|who)\b"
)
_POLITE = (
    r"\bif (?:possible|you can|that's ok|you don't mind)\b|^(?:can|could|would) you\b|"
    r"^[a-z]+ it\b(?= (?:to me |please |all |for me )*$)|\bread(?=s? (?:the|this|my|src|all|through|it|"
    r"and|[\w./-]+\.\w+))|\bwhat (?:it|this|that) does\b|\bhow (?:it|this|that) works\b"
)
_LIFTED = r"\b(?:unless|except|other than|besides|apart from|aside from|else|only if)\b|\bother\b|\bbut (?:the|for)\b"

_MODALS = (
    r"^(?:must not|mustn't|should not|shouldn't|may not|can't|cannot|can not|are |aren't|not|need|no need|"
    r"will not|won't)"
)

_OR_ELSE = r"(?: (?:commit|push|add|remove|move|rename|install|stage|build|reformat|refactor|run|execute) or)*"

_RULES: Rows = (
    (Restriction.NO_NETWORK, rf"\b(?P<n>{_NOT}){_BETWEEN} {_NETWORK}\b{_NOT_THE_WEB}"),
    (Restriction.READ_ONLY, rf"\b(?P<n>{_NOT}){_BETWEEN}{_OR_ELSE} {_CHANGE}(?: or {_CHANGE})*(?: {_ALL})?{_END}"),
    (Restriction.READ_ONLY, rf"\b(?P<n>{_NOT}){_BETWEEN} (?:mak|apply|perform|introduc)(?:e|ing)? {_CHANGES}{_END}"),
    (Restriction.NO_COMMANDS, rf"\b(?P<n>{_NOT}){_BETWEEN} {_RUN}(?: or {_RUN})* {_COMMANDS}{_END}"),
    (
        Restriction.NO_COMMANDS,
        (rf"\b(?P<n>{_NOT}){_BETWEEN} (?:run|execute)(?: or (?:run|execute|{_CHANGE}))*(?: {_RUNNABLE})?{_END}"),
    ),
    (Restriction.NO_COMMANDS, rf"\b(?P<n>{_NOT}){_BETWEEN} {_CHANGE} or (?:run|execute) anything{_END}"),
    (Restriction.READ_ONLY, rf"\b(?P<n>{_NOT}){_BETWEEN} {_CHANGE} or (?:run|execute) anything{_END}"),
)

_WITHOUT: Rows = (
    (Restriction.NO_NETWORK, rf"\bwithout {_NETWORK}\b"),
    (
        Restriction.NO_NETWORK,
        (
            rf"\b(?:without|with no) (?:any |the )?(?:internet|network|web|online)(?: access| connection|"
            rf" search(?:es)?| calls?| requests?)?{_END}"
        ),
    ),
    (
        Restriction.READ_ONLY,
        (rf"\bwithout {_CHANGE} (?:anything|any (?:files?|code|thing)|a thing|files|a single (?:line|file)){_END}"),
    ),
    (
        Restriction.READ_ONLY,
        (
            rf"\bwithout (?:making )?(?:any )?(?:changes|edits|modifications)(?: to (?:anything|"
            rf"the (?:code|files))?)?{_END}"
        ),
    ),
    (
        Restriction.NO_COMMANDS,
        (rf"\bwithout (?:running|executing|using) (?:{_COMMANDS}|anything|any code|code|it){_END}"),
    ),
)
"""How the agent should do it, where no app is to do it so."""

_LEAD = (
    r"(?:(?:and|but|also|please|just|so|then|you|ok|okay|now|with|this time|for this task|pls|strictly|"
    r"however|must|should|always|to|rule|rules|important|note|i want you to|you have to|you need to|you must|"
    r"you should) )*"
)
_TAIL = (
    r"(?: (?:please|pls|only|now|today|mode|thanks|thank you|here|at all|throughout|the whole time|"
    r"all the time|entirely|for now|(?:for|on|in|during|while|until|when|as|because|since) "
    r"(?!(?:the |our |my |a |this )?(?:ci|tests?|unit tests?|test suite|prod\w*|staging|docker\w*|containers?|builds?|"
    r"pipelines?|runners?|lambda|servers?|devices?|phones?|browsers?|github|gitlab|jenkins|kubernetes|k8s|pods?|vms?|"
    r"sandbox|plane|train)\b).*))*"
)
_WHOLE: Rows = (
    (
        Restriction.NO_NETWORK,
        (
            rf"{_LEAD}(?:(?:(?:work|stay|remain|operate|be|keep|go|answer|act|keep (?:it|this|everything|things)|"
            r"do (?:it|this|that|everything|all of (?:it|this))|solve (?:it|this)|finish (?:it|this)|"
            r"(?:assume |pretend )?you(?:'re| are)|"
            r"strictly|fully|completely|entirely|use|in) )*offline(?: mode)?|"
            rf"(?:stay|keep|remain) (?:off|away from) (?:the )?{_WEB}|airplane mode){_TAIL}"
        ),
    ),
    (
        Restriction.NO_NETWORK,
        (
            rf"{_LEAD}(?:(?:answer|explain|review|analy[sz]e|solve|summari[sz]e|investigate|research|debug|"
            rf"finish|complete|handle)\b"
            rf"(?! (?:how|that|why|whether|when))(?: [\w./▢'-]+){{1,6}} offline(?: please| only)?)"
        ),
    ),
    (
        Restriction.NO_NETWORK,
        (
            rf"{_LEAD}(?:(?:use |there is to be |i want )?no (?:internet|network|web|online|networking|"
            rf"browsing|googling|net)(?: access| search(?:es)?| usage| use| calls?| requests?|"
            rf" connections?| lookups?)?|"
            rf"avoid (?:using )?(?:the )?{_WEB}|"
            r"no going online|no web ?search(?:es|ing)?|(?:internet|network|web|online)(?: access| use|"
            r" searches)? (?:is|are) (?:not allowed|forbidden|off[- ]limits|prohibited|disallowed|"
            r"not permitted|banned)|"
            r"you (?:have|get) no (?:internet|network|web)(?: access)?|nothing (?:from the (?:web|"
            r"internet)|online)|"
            rf"local only|use (?:only )?local (?:files|sources|information|resources) only|"
            rf"only use local (?:files|sources|information|resources|knowledge))(?: allowed)?{_TAIL}"
        ),
    ),
    (
        Restriction.READ_ONLY,
        (
            rf"{_LEAD}(?:(?:stay|be|keep|remain|work|operate|run|act|use|in|strictly|keep (?:it|this|"
            rf"everything|things|yourself)|do (?:it|this)|"
            r"this (?:is|turn is|task is)(?: a| strictly)?|a|treat (?:this|it|(?:the|this|my) (?:repo|"
            r"repository|project|code|codebase|workspace|folder)) as|everything is|make this (?:turn|task|"
            r"session)|consider (?:this|(?:the|this|my) (?:repo|project|code)) ) ?)*"
            rf"read[- ]?only(?: (?:mode|access|task|turn|question|review|analysis|audit|investigation|"
            rf"session|please|request))?(?: https?)?{_TAIL}"
        ),
    ),
    (
        Restriction.READ_ONLY,
        (
            rf"{_LEAD}(?:make |apply |i want |absolutely |there (?:should|"
            rf"must) be )*no {_CHANGES}(?: allowed| yet| for now)?{_TAIL}|"
            rf"{_LEAD}(?:no (?:writes?|writing|editing|coding|code|touching|file writes|"
            rf"writing files)(?: yet| allowed)?|(?:change|modify|touch|edit) nothing|"
            rf"(?:keep (?:your )?)?hands off(?: (?:the|my|our|this|these|those) (?:code|files|repo|project))?|"
            rf"look(?:ing)? only|only look|just look|"
            rf"look but don't touch|nothing (?:should|must|may|shall|is to) be (?:changed|modified|edited|touched|"
            rf"written)|leave (?:(?:all |all of )?(?:the |my |our |this |these |those )?(?:code|codebase|code base|"
            rf"files|repo|repository|project|sources?|workspace)|everything|all|it all) "
            rf"(?:alone|as (?:it is|is|they are)|"
            rf"untouched|unchanged)){_TAIL}"
        ),
    ),
    (
        Restriction.NO_COMMANDS,
        (
            rf"{_LEAD}(?:(?:use |run |execute )?no (?:shell |terminal |bash |system )*(?:commands?|shell|"
            rf"terminal|bash|command execution|execution|running)(?: allowed| execution)?|(?:run|"
            rf"execute) nothing|no (?:running|executing)(?: of)?(?: any)? (?:commands?|code|scripts?|programs?|"
            rf"anything)){_TAIL}"
        ),
    ),
)
"""The clause is this and nothing else."""

_BUILDING = (
    r"\b(?:app|apps|application|make|makes|let|lets|ensure|users?|support(?:s|ed)?|feature|features|"
    r"should|must|can|could|it|page|site|"
    r"website|client|game|editor|map|cache|work(?:s|ing)?|usable|load(?:s|ing)?|function(?:s|ing)?|"
    r"available|install(?:s|ed|er)?|player|"
    r"mode|field|fields|property|properties|attribute|input|service|program|tool|build|add|create|"
    r"implement|which|that)\b"
)
"""Tells what is to be built, and how that should be."""

_LOOKED_AT = (
    r"^(?:please |just |can you |could you )*(?:explain|tell|answer|summari[sz]e|review|analy[sz]e|describe|find|look|"
    r"check|debug|investigate|read)\b(?!.*\b(?:make|makes|let|ensure|build|add|create|implement|support|should|must)\b)"
)
"""The product is there, and a question is asked about it."""
_SPLIT = r"\s+(?:and|but|then)\s+"
_GOES_ON = (
    r"(?:please |just |only )*(?:explain|tell|answer|summari[sz]e|review|analy[sz]e|describe|find|list|show|look|check|"
    r"help|give|say|debug|investigate|read|report)\b"
)
"""How the rest of an order begins."""


_WITH_OPTION = r"\s*(?:with|under|given|when|for) --?\w"
"""`with --check, don't write files`: what a program does, not what the agent may."""
_ASKING = r"(?:why|what|how|when|does|do|did|is|are|should|who|where|which)\b"

_TRIGGERS: Triggers = {
    Restriction.NO_NETWORK: ("line", "net", "web", "google", "googling", "brows", "airplane", "local", "world"),
    Restriction.READ_ONLY: (
        "read", "chang", "modif", "edit", "alter", "touch", "writ", "updat", "delet", "mess", "fix", "implement",
        "creat", "tamper", "patch", "apply", "hands", "look", "coding", "code", "leave", "nothing",
    ),
    Restriction.NO_COMMANDS: ("run", "exec", "launch", "invok", "command", "shell", "terminal", "bash", "console"),
}  # fmt: skip


def read_english(clause: Clause) -> set[Restriction]:
    """What the clause forbids the agent."""
    text = " ".join(clause.text.split())
    if clause.is_question and compiled(_ASKING).match(text):
        return set()
    if compiled(_WITH_OPTION).match(clause.before):
        return set()
    rows = patterns_for(text, _RULES, _TRIGGERS)
    found = {what for what, rule in rows for match in rule.finditer(text) if _is_order(text, match)}
    found |= {
        what
        for what, rule in patterns_for(text, _WITHOUT, _TRIGGERS)
        for match in rule.finditer(text)
        if not _tells_of_a_product(text[: match.start()])
        and not _tells_of_a_product(_led_by(clause.before))
        and not _is_lifted(text)
    }
    return found | _whole(text, clause.before)


def _whole(text: str, before: str) -> set[Restriction]:
    pieces = compiled(_SPLIT).split(text)
    first = [(pieces[0], before)] if len(pieces) > 1 and compiled(_GOES_ON).match(pieces[1]) else []
    forms = [
        (text, before),
        *first,
        *((piece, f"{before} {' '.join(pieces[:at])}") for at, piece in enumerate(pieces) if at),
    ]
    return {
        what
        for form, head in forms
        for what, rule in patterns_for(form, _WHOLE, _TRIGGERS)
        if rule.fullmatch(form) and not _tells_of_building(head) and not _is_lifted(form)
    }


def _tells_of_building(head: str) -> bool:
    return compiled(_BUILDING).search(head) is not None and not compiled(_LOOKED_AT).search(head)


def _is_order(text: str, match: re.Match[str]) -> bool:
    before = text[: match.start()]
    if _is_lifted(text) or compiled(_TELLING).search(compiled(_POLITE).sub(" ", before)):
        return False
    if not before and match["n"] in {"can't", "cannot", "can not"}:
        return False  # `can't go online from the container`: a complaint
    if compiled(_AGENT_BEFORE).search(before):
        return True
    if compiled(_MODALS).match(match["n"]):
        return False  # `must not` and its kin need `you` or the beginning
    return not compiled(_SUBJECT_BEFORE).search(before) or compiled(_PLAIN_ENDING_IN_S).search(before) is not None


def _is_lifted(text: str) -> bool:
    return compiled(_LIFTED).search(text) is not None


def _led_by(before: str) -> str:
    """What stands before a colon: `implement --dry-run: print commands without running anything`."""
    return before if before.rstrip().endswith(":") else ""


def _tells_of_a_product(before: str) -> bool:
    return compiled(_BUILDING).search(compiled(_POLITE).sub(" ", before)) is not None
