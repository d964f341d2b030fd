"""All records of a server, in a form that can be compared between servers."""
import re

MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
RANDOM = {"prefix", "lastUsedAt"}  # fields of API keys; lastUsedAt is recorded only now and then
ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")


def read(http, path):
    answer = http.get(path)
    assert answer.status == 200, (path, answer)
    return answer.json()


def lists_of(http):
    """The paths of all top-level lists, from /openapi.json."""
    return sorted(path for path, item in read(http, "/openapi.json")["paths"].items()
                  if item.get("get", {}).get("operationId", "").startswith("list") and "{" not in path)


def state_of_all(http):
    """All records in the order of their creation. Ids become numbers in order of appearance; all times become equal."""
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
