"""The files behind a project's rules: finding them, their `@path` imports, fitting them into the room there is."""
