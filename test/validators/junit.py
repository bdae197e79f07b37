"""Reads a JUnit file with junitparser, and checks it against a schema: junit.py FILE SCHEMA"""

import sys

import junitparser
import xmlschema

file, schema = sys.argv[1:]
suites = junitparser.JUnitXml.fromfile(file)
cases = [case for suite in suites for case in suite]
for suite in suites:
    found = list(suite)
    counted = (
        len(found),
        sum(any(isinstance(result, junitparser.Failure) for result in case.result) for case in found),
        sum(any(isinstance(result, junitparser.Error) for result in case.result) for case in found),
        sum(any(isinstance(result, junitparser.Skipped) for result in case.result) for case in found),
    )
    stated = (suite.tests, suite.failures, suite.errors, suite.skipped)
    assert counted == stated, f"{suite.name}: {counted} test cases, {stated} in its attributes"
xmlschema.XMLSchema(schema).validate(file)
print(len(cases), "test cases")
