"""Every text a person reads (table `screen`: zh and en) and every short text a model reads (table `model`: zh).

Entry: `Texts(language).screen(code, **fields)` and `model_text(code, **fields)`. Imports core only; the tables are
data, one module per subject. Longer model texts are files in `prompts/`.
"""
