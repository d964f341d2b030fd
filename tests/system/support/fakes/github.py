"""The part of GitHub's REST API that dispatches a workflow (D72)."""
import json
import re

from . import base

DISPATCH = re.compile(r"/repos/([^/]+)/([^/]+)/actions/workflows/([^/]+)/dispatches")


class GitHub(base.Fake):
    """`dispatches` holds {owner, repo, workflow, ref, inputs, ids}; `status` and `hostile_mode` replace the next answers."""

    def __init__(self, token="token", **options):
        super().__init__(**options)
        self.token = token
        self.status = 204
        self.hostile_mode = None
        self.dispatches = []

    async def answer(self, request):
        found = DISPATCH.fullmatch(request.path)
        looks = request.method == "GET" and DISPATCH.fullmatch(request.path + "/dispatches")   # a GET of the workflow
        if not looks and (request.method != "POST" or not found):
            return base.Reply({"message": "Not Found"}, 404)
        if request.headers.get("authorization") != f"Bearer {self.token}":
            return base.Reply({"message": "Bad credentials"}, 401)
        if "user-agent" not in request.headers:
            return base.Reply({"message": "Request forbidden by administrative rules"}, 403)
        if looks:
            return base.Reply({"id": 7, "state": "active"})
        try:
            dispatch = self.read(found.groups(), request.json())
        except (ValueError, KeyError, TypeError) as fault:
            return base.Reply({"message": f"Problems parsing: {fault}"}, 422)
        self.dispatches.append(dispatch)
        if self.hostile_mode:
            return base.Reply(mode=self.hostile_mode)
        return base.Reply(b"" if self.status == 204 else {"message": "Said so"}, self.status)

    @staticmethod
    def read(place, body):
        """Parses a dispatch. GitHub accepts a ref and at most 10 inputs, each a string."""
        if set(body) - {"ref", "inputs"} or not isinstance(body["ref"], str):
            raise ValueError("unexpected keys")
        inputs = body.get("inputs", {})
        if len(inputs) > 10 or not all(isinstance(value, str) for value in inputs.values()):
            raise ValueError("inputs are at most 10 texts")
        owner, repo, workflow = place
        return {"owner": owner, "repo": repo, "workflow": workflow, "ref": body["ref"], "inputs": inputs,
                "ids": json.loads(inputs.get("test_result_ids", "[]"))}
