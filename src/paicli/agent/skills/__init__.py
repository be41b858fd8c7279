"""Skills on their way into a conversation. Imports core, tools and the rest of agent."""
