"""Checks a JSON file against a JSON schema: validate_schema.py SCHEMA FILE.

Exit status 0: valid, 1: not, with what is wrong on stdout, 77: the module jsonschema is missing.
"""

import json
import sys

try:
    import jsonschema
except ImportError:
    sys.exit(77)

with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
with open(sys.argv[2], encoding="utf-8") as file:
    document = json.load(file)
jsonschema.Draft7Validator.check_schema(schema)
errors = list(jsonschema.Draft7Validator(schema).iter_errors(document))
for error in errors[:5]:
    print(f"{list(error.absolute_path)}: {error.message[:200]}")
sys.exit(1 if errors else 0)
