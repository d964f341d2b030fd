"""All records of a server in a form that can be compared with another server's."""
import re

LISTS = ("scenarios", "tests", "agents", "personalities", "folders", "run-groups", "tags", "scenario-configurations",
         "external-conversation-logs", "scheduled-runs", "users", "api-keys", "runs", "test-results")
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
RANDOM = {"prefix", "lastUsedAt"}  # of a key; and when that was last used is noted now and then
ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")


def state_of_all(http):
    """All records of a server in the order of their creation; ids are numbers by first sight, all moments are one."""
    numbers = {}

    def plain(value):
        if isinstance(value, dict):
            return {key: plain(one) for key, one in value.items() if key not in RANDOM}
        if isinstance(value, list):
            return [plain(one) for one in value]
        if isinstance(value, str) and ID.fullmatch(value):
            return numbers.setdefault(value, len(numbers))
        if isinstance(value, str) and MOMENT.fullmatch(value):
            return "a moment"
        return value
    return {kind: plain(http.get(f"/{kind}/?sortOrder=asc&limit=1000").json()) for kind in LISTS}
