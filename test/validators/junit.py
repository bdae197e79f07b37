"""Reads a JUnit file with junitparser, and checks it against a schema: junit.py FILE SCHEMA"""

import sys

import junitparser
import xmlschema

file, schema = sys.argv[1:]
problems = [f"{error.path}: {error.reason}" for error in xmlschema.XMLSchema(schema).iter_errors(file)]
for suite in junitparser.JUnitXml.fromfile(file):
    stated = (suite.tests, suite.failures, suite.errors, suite.skipped)
    suite.update_statistics()
    counted = (suite.tests, suite.failures, suite.errors, suite.skipped)
    if counted != stated:
        problems.append(f"{suite.name}: counts {stated}, but has {counted}")
print("\n".join(problems), end="")
