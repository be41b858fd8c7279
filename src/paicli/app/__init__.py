"""The composition root: command line, settings, wiring, and the runs without a person (`-p`, plan, run, demo).

Entry: `paicli.app.main.main`. The only room that knows all others; sole owner of environment variables and argv.
"""
