"""Shared parts of the system tests: the real server as a process, a small HTTP client, and a TestCase with builders.

Written only from the interface specification and the decisions, as an independent reading of them: nothing here is
generated from the sources of the server."""
