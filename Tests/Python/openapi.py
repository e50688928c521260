"""Checks requests and answers against the OpenAPI document of the service."""

import json
import re
from urllib.parse import parse_qsl, unquote, urlsplit

from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

ROOT = "urn:placard:openapi"


class Contract:
    """An OpenAPI document as a contract. Each check returns its violations, one sentence each."""

    def __init__(self, document, scene_schema=None):
        self.document = document
        resources = [(ROOT, Resource.from_contents(document, DRAFT202012))]
        if scene_schema is not None:
            scene = Resource.from_contents(scene_schema, DRAFT202012)
            names = {"/v1/scene.schema.json", "scene.schema.json", scene_schema.get("$id", "")}
            resources += [(name, scene) for name in names if name]
        self.registry = Registry().with_resources(resources)
        self.paths = [(self.pattern(path), path) for path in document["paths"]]
        # A path with fewer parameters takes precedence (OpenAPI 3.1, "Path Templating Matching").
        self.paths.sort(key=lambda pair: pair[1].count("{"))
        server = (document.get("servers") or [{"url": ""}])[0]["url"]
        self.prefix = urlsplit(server).path.rstrip("/")

    @staticmethod
    def pattern(path):
        return re.compile("".join(
            "([^/]+)" if part.startswith("{") else re.escape(part) for part in re.split(r"(\{[^}]*\})", path)) + "$")

    def resolve(self, value):
        """Returns the object that a reference in the document points to."""
        while "$ref" in value:
            at = self.document
            for part in value["$ref"].lstrip("#/").split("/"):
                at = at[part.replace("~1", "/").replace("~0", "~")]
            value = at
        return value

    def operation(self, method, path):
        """Returns the operation of a path without a query, its path template, its parameters and their values."""
        path = path.removeprefix(self.prefix) if self.prefix else path
        for pattern, name in self.paths:
            match = pattern.match(path)
            item = self.document["paths"][name]
            if match and method.lower() in item:
                operation = item[method.lower()]
                listed = [self.resolve(one) for one in item.get("parameters", []) + operation.get("parameters", [])]
                names = re.findall(r"\{([^}]*)\}", name)
                return operation, name, listed, dict(zip(names, map(unquote, match.groups())))
        return None

    def faults(self, schema, value):
        """Returns the violations of a schema by a value."""
        bound = {"$id": ROOT + ":part", "allOf": [self.absolute(schema)]}
        validator = Draft202012Validator(bound, registry=self.registry)
        return [f"{'/'.join(map(str, one.absolute_path)) or 'it'}: {one.message[:300]}"
                for one in validator.iter_errors(value)]

    def absolute(self, schema):
        """Returns a schema with absolute references, which do not depend on where the schema is used."""
        if isinstance(schema, dict):
            return {key: ROOT + value if key == "$ref" and str(value).startswith("#") else self.absolute(value)
                    for key, value in schema.items()}
        return [self.absolute(one) for one in schema] if isinstance(schema, list) else schema

    def request(self, method, target, headers, body):
        """Returns the violations of a request; names of headers are in lower case, the body is bytes or None."""
        parts = urlsplit(target)
        found = self.operation(method, parts.path)
        if not found:
            return [f"{method} {parts.path} is not in the document"]
        operation, _, listed, in_path = found
        told = {"path": in_path, "query": dict(parse_qsl(parts.query, keep_blank_values=True)),
                "header": {one["name"]: headers[one["name"].lower()] for one in listed
                           if one["in"] == "header" and one["name"].lower() in headers}}
        faults = []
        for place, values in told.items():
            known = {one["name"]: one for one in listed if one["in"] == place}
            faults += [f"unknown parameter {name} in {place}" for name in values if name not in known]
            for name, parameter in known.items():
                if name in values:
                    value = self.typed(parameter.get("schema", {}), values[name])
                    faults += [f"{name}: {one}" for one in self.faults(parameter.get("schema", {}), value)]
                elif parameter.get("required"):
                    faults.append(f"{name} is missing in {place}")
        faults += self.body(operation.get("requestBody"), headers, body)
        return [f"{method} {target}: {one}" for one in faults]

    def typed(self, schema, text):
        kinds = self.resolve(schema).get("type", "string")
        kinds = kinds if isinstance(kinds, list) else [kinds]
        if {"integer", "number", "boolean"} & set(kinds):
            try:
                return json.loads(text)
            except ValueError:
                return text
        return text

    def body(self, described, headers, body):
        if described is None:
            return ["the operation has no request body"] if body else []
        described = self.resolve(described)
        if not body and body is not None:
            return ["the body is missing"] if described.get("required") else []
        sort = headers.get("content-type", "").split(";")[0].strip().lower()
        if sort not in described["content"]:
            return [f"content-type {sort!r} is not one of {sorted(described['content'])}"]
        if "json" not in sort or body is None:
            return []
        return self.faults(described["content"][sort].get("schema", {}), json.loads(body))

    def answer(self, method, target, status, headers, body):
        """Returns the violations of an answer."""
        found = self.operation(method, urlsplit(target).path)
        if not found:
            return [f"{method} {target} is not in the document"]
        responses = found[0]["responses"]
        described = responses.get(str(status)) or responses.get(f"{status // 100}XX") or responses.get("default")
        if described is None:
            return [f"{method} {target}: status {status} is not in the document"]
        content = self.resolve(described).get("content")
        sort = headers.get("content-type", "").split(";")[0].strip().lower()
        if not content:
            return [f"{method} {target}: {status} with a body that is not in the document"] if body else []
        if sort not in content:
            return [f"{method} {target}: {status} with content-type {sort!r}, not one of {sorted(content)}"]
        if "json" not in sort or not body:
            return []
        faults = self.faults(content[sort].get("schema", {}), json.loads(body))
        return [f"{method} {target}: {status}: {one}" for one in faults]
