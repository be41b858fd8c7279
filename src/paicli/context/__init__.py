"""What the model sees: the prompt library, the chain of PAI.md files, memory, skills; what becomes of a long history.

Entry types: `PromptLibrary`, `load_project_rules`. Imports core, system and llm; sole owner of `prompts/`.
"""
