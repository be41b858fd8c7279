"""Skills: instructions in `SKILL.md` files that a model loads when a request needs them (the open Agent Skills format).

Entry types: `Skill`, `find_skills`, `SkillShelf`. Imports core and the rest of context.
"""
