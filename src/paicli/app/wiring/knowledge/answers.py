"""Answers what a person asks about the rules, the memory and the skills."""

from paicli.app.wiring.knowledge.session_knowledge import SessionKnowledge
from paicli.context.memory import memory_lines
from paicli.context.project_rules import ProjectRules
from paicli.core.errors import UserFacingError
from paicli.core.faults import fault_of
from paicli.core.masking import SecretMasker
from paicli.ui.queries import MemoryReport, RulesFile, SkillRow, SkillsReport


def rules_files(rules: ProjectRules) -> tuple[RulesFile, ...]:
    return tuple(
        RulesFile(file.path, file.size_bytes, file.character_count, file.is_cut, file.imported_by)
        for file in rules.files
    )


def memory_report(knowledge: SessionKnowledge) -> MemoryReport:
    path = knowledge.memory_path
    try:
        return MemoryReport(str(path), memory_lines(path))
    except UserFacingError as error:
        return MemoryReport(str(path), (), fault_of(error, SecretMasker()))


def skills_report(knowledge: SessionKnowledge) -> SkillsReport:
    shelf = knowledge.shelf
    offered = {skill.name for skill in shelf.offered}
    listed = shelf.indexed
    rows = [
        SkillRow(
            skill.name,
            skill.description,
            skill.source.value,
            str(skill.path),
            is_off=skill.name in knowledge.off,
            is_listed=skill.name in listed,
        )
        for skill in shelf.found.skills
        if skill.name in offered or skill.name in knowledge.off
    ]
    return SkillsReport(tuple(rows), shelf.found.faults)


def skill_shown(knowledge: SessionKnowledge, name: str) -> str:
    """The skill's text, whole. Raises UserFacingError."""
    skills = knowledge.shelf.found.skills
    found = next((skill for skill in skills if skill.name == name), None)
    if found is None:
        raise UserFacingError("skills.unknown", name=name, known=", ".join(skill.name for skill in skills))
    return f"{found.path}\n{found.description}\n\n{found.body}"
