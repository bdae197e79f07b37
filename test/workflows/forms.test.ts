import { Ajv } from 'ajv';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { readText } from './files.ts';

/** Files that no linter of workflows checks, with their public schemas, and a mistake that each schema must find. */
const FILES = [
  ['.github/dependabot.yml', 'dependabot-2.0', 'interval: weekly', 'interval: sometimes'],
  ['.github/ISSUE_TEMPLATE/config.yml', 'github-issue-config', 'enabled: false', 'enabled: maybe'],
  ['.github/ISSUE_TEMPLATE/bug.yml', 'github-issue-forms', 'type: dropdown', 'type: dropup'],
  ['.github/ISSUE_TEMPLATE/question.yml', 'github-issue-forms', 'label: What', 'lable: What'],
] as const;

it.each(FILES)('%s fits its schema', async (path, schemaName, right, wrong) => {
  // One of them follows an older draft, whose differences it does not use.
  const { $schema: _draft, ...schema } = JSON.parse(await readText(`test/schemas/${schemaName}.json`));
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);
  const text = await readText(path);
  expect(text).toContain(right);
  expect(validate(asDescribed(text)), JSON.stringify(validate.errors)).toBe(true);
  expect(validate(asDescribed(text.replace(right, wrong)))).toBe(false);
});

/** The schema is older than the plural of `directory`. */
function asDescribed(text: string): unknown {
  return parse(text.replaceAll(/directories: \[(\S+),.*\]/g, 'directory: $1'));
}
