"""Counterparts of the server for tests: agents, a model, GitHub, and a server that does everything wrong. Each is an
asyncio server in a thread of its own and holds thousands of connections. Written against the decisions (D70-D72) alone;
no product code knows them."""
