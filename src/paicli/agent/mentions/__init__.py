"""Files and folders that the person's words mention by `@path`, read for the first message."""
