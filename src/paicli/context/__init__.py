"""What the model sees: the prompt library and PAI.md; later skills, compaction and memory.

Entry types: `PromptLibrary`, `load_project_rules`. Imports core, system and llm; sole owner of `prompts/`.
"""
