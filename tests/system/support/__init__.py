"""What the system tests share: the real server as a process, a small HTTP client, and a TestCase with builders.

Written against the interface specification and the decisions alone, as a second reading of them: nothing here is
generated from the server's own sources."""
