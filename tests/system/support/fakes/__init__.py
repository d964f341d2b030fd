"""Fake services for tests: agents, a model, GitHub, and a server that does everything wrong. Each fake is an asyncio
server in a separate thread and can hold thousands of connections. Written only from the decisions (D70-D72); product code
does not know them."""
