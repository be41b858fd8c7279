"""What asks for the person's attention in the live session: panels over the prompt, lists, notifications.

Entry: `PanelDesk`. The panels are small state machines that know no terminal.
"""
