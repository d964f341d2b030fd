"""All records of a server in a form that can be compared with another server's."""
import re

MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
RANDOM = {"prefix", "lastUsedAt"}  # of a key; and when that was last used is noted now and then
ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")


def read(http, path):
    answer = http.get(path)
    assert answer.status == 200, (path, answer)
    return answer.json()


def lists_of(http):
    """The paths of all lists that belong to no other record, by the document of the server's interface."""
    return sorted(path for path, item in read(http, "/openapi.json")["paths"].items()
                  if item.get("get", {}).get("operationId", "").startswith("list") and "{" not in path)


def state_of_all(http):
    """All records of a server in the order of their creation; ids are numbers by first sight, all moments are one."""
    numbers = {}

    def plain(value):
        if isinstance(value, dict):
            return {key: plain(one) for key, one in value.items() if key not in RANDOM}
        if isinstance(value, list):
            return [plain(one) for one in value]
        if isinstance(value, str):
            return ID.sub(lambda found: f"#{numbers.setdefault(found[0], len(numbers))}", MOMENT.sub("a moment", value))
        return value
    return {path: plain(read(http, f"{path}/?sortOrder=asc&limit=1000")) for path in lists_of(http)}
