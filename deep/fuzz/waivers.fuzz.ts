import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { png } from '../../test/harness/media.ts';
import { makeWorkspace } from '../../test/harness/workspace.ts';
import { anyText } from '../../test/report/arbitrary.ts';
import { fuzz, runSound } from './play.ts';

const VALID = `# Accepted by legal.
- rule: AD-17
  path: "**/hero.png"
  owner: legal@example.com
  reason: >-
    Agreed with the agency,
    see the minutes.
  expires: 2999-01-31
- { rule: AD-18, path: 'campaign/{a,b}/*.png', owner: "o\\tp", reason: r, expires: "2030-12-31" }
- rule: &r AD-19
  path: other.png
  owner: ops
  reason: |
    Two
    lines
  expires: 2001-01-01
`;

const anyValue: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('AD-17', 'hero.png', '2999-01-31', '2999-02-30', '0000-00-00', '2999-01-31T00:00:00Z'),
  fc.constantFrom('""', '~', 'null', 'yes', '1', '.inf', '*r', '&a AD-17', '!!str AD-17', '!<x> AD-17', '[a]'),
  fc.constantFrom('"**"', '"[a-"', '"{a,b"', '"!hero.png"', '../hero.png', '"\\x00"', '"\\ud800"'),
  fc.constantFrom('{', '}', '[', ']', '"', "'", '|', '>', '%', '? a', '- -', '---', '...', '<<: *r', '\t'),
  fc.constantFrom('{a,b}'.repeat(40), '**/'.repeat(300), '['.repeat(3_000), '&a [*a, *a]', 'x'.repeat(100_000)),
  anyText,
  anyText.map((text) => JSON.stringify(text)),
);

type Change = (yaml: string) => string;

const share = fc.double({ min: 0, max: 1, noNaN: true });

/** Changes one line of the file. */
function line(edit: (line: string, value: string) => readonly string[]): fc.Arbitrary<Change> {
  return fc.tuple(share, anyValue).map(([at, value]) => (yaml) => {
    const lines = yaml.split('\n');
    const index = Math.floor(at * (lines.length - 1));
    return lines.toSpliced(index, 1, ...edit(lines[index] ?? '', value)).join('\n');
  });
}

const anyChange: fc.Arbitrary<Change> = fc.oneof(
  { weight: 4, arbitrary: line((text, value) => [text.replace(/: +.*$/, () => `: ${value}`)]) },
  line((text, value) => [text.replace(/\w+(?=:)/, () => value)]),
  line(() => []),
  line((text) => [text, text]),
  line((text, value) => [text, value]),
  line((text, value) => [`${value} ${text}`]),
  line((text) => [`  ${text}`]),
  share.map(
    (at): Change =>
      (yaml) =>
        yaml.slice(0, Math.floor(at * yaml.length)),
  ),
  fc.constantFrom<Change>(
    (yaml) => `\ufeff${yaml}`,
    (yaml) => yaml.replaceAll('\n', '\r\n'),
    (yaml) => `%YAML 1.1\n---\n${yaml}`,
    (yaml) => `${yaml}---\n${yaml}`,
    (yaml) => yaml.repeat(1_000),
  ),
);

const anyFile = fc
  .array(anyChange, { maxLength: 4 })
  .map((changes) => changes.reduce((yaml, change) => change(yaml), VALID));

it('changed waivers files', async () => {
  await fuzz(anyFile, async (yaml, emulator) => {
    await using workspace = await makeWorkspace({ 'hero.png': png('hero'), 'w.yml': yaml });
    const run = await runSound({
      workspace: workspace.path,
      service: emulator.workspace({ scenario: { default: { issues: [{ severity: 'CRITICAL', ruleCode: 'AD-17' }] } } }),
      baseUrl: emulator.baseUrl,
      inputs: { 'waivers-file': 'w.yml', files: '*.png' },
    });
    if (run.outputs['verdict'] === 'pass') expect(isWaived(yaml), 'A pass without a waiver').toBe(true);
    expect(run.service.submissions.length, 'More than one submission was created').toBeLessThanOrEqual(1);
  });
});

/** Whether the file has a complete entry for this rule that has not expired. */
function isWaived(yaml: string): boolean {
  const list: unknown = parse(yaml.replace(/^\ufeff/, ''), { schema: 'failsafe', uniqueKeys: false });
  const today = new Date().toISOString().slice(0, 10);
  return (
    Array.isArray(list) &&
    list.some((entry: Readonly<Record<string, unknown>>) => {
      const [rule, path, owner, reason, expires] = ['rule', 'path', 'owner', 'reason', 'expires'].map((key) =>
        typeof entry[key] === 'string' ? entry[key].trim() : '',
      );
      return rule === 'AD-17' && Boolean(path && owner && reason) && (expires ?? '') >= today;
    })
  );
}
