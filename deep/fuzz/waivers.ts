import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { parse } from 'yaml';
import { anyText } from '../../test/faults/hostile.ts';
import { runWithSecrets } from '../../test/harness/invariants.ts';
import { png } from '../../test/harness/media.ts';
import { makeWorkspace } from '../../test/harness/workspace.ts';
import { CLOCK_FACTOR, expectSound, NO_GITHUB, target } from './target.ts';

interface WaiverCase {
  readonly yaml: string;
}

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

const VALUES: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    'AD-17',
    'hero.png',
    '2999-01-31',
    '2999-02-30',
    '0000-00-00',
    '+12999-01-01',
    '2999-01-31T00:00:00Z',
  ),
  fc.constantFrom('""', "''", '~', 'null', 'yes', '1', '.inf', '*r', '&a AD-17', '!!str AD-17', '!<x> AD-17', '[a]'),
  fc.constantFrom(
    '"**"',
    '"*"',
    '"[a-"',
    '"{a,b"',
    '"!hero.png"',
    '../hero.png',
    '"\\x00"',
    '"\\ud800"',
    '"\\UFFFFFFFF"',
  ),
  fc.constantFrom('{', '}', '[', ']', '"', "'", '|', '>', '%', '@', '`', '? a', '- -', '---', '...', '<<: *r', '\t'),
  fc.constantFrom(
    '{a,b}'.repeat(40),
    '**/'.repeat(300),
    '['.repeat(3_000),
    '&a [*a, *a]',
    '"' + 'x'.repeat(100_000) + '"',
  ),
  anyText,
  anyText.map((text) => JSON.stringify(text)),
);

type Change = (yaml: string) => string;

const place = fc.double({ min: 0, max: 1, noNaN: true });

function withLine(share: number, edit: (line: string) => readonly string[]): Change {
  return (yaml) => {
    const lines = yaml.split('\n');
    const index = Math.floor(share * (lines.length - 1));
    return lines.toSpliced(index, 1, ...edit(lines[index] ?? '')).join('\n');
  };
}

const anyChange: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(place, VALUES)
      .map(([share, value]) => withLine(share, (line) => [line.replace(/(: +).*$/, () => `: ${value}`)])),
  },
  fc.tuple(place, VALUES).map(([share, value]) => withLine(share, (line) => [line.replace(/\w+(?=:)/, () => value)])),
  place.map((share) => withLine(share, () => [])),
  place.map((share) => withLine(share, (line) => [line, line])),
  fc
    .tuple(place, fc.constantFrom('  ', '\t', '- ', '# ', '? '))
    .map(([share, text]) => withLine(share, (line) => [text + line])),
  fc.tuple(place, VALUES).map(([share, value]) => withLine(share, (line) => [line, value])),
  fc.tuple(place, anyText).map(
    ([share, text]): Change =>
      (yaml) => {
        const index = Math.floor(share * yaml.length);
        return yaml.slice(0, index) + text + yaml.slice(index);
      },
  ),
  place.map(
    (share): Change =>
      (yaml) =>
        yaml.slice(0, Math.floor(share * yaml.length)),
  ),
  fc.constantFrom<Change>(
    (yaml) => `\ufeff${yaml}`,
    (yaml) => yaml.replaceAll('\n', '\r\n'),
    (yaml) => yaml.replaceAll('\n', '\r'),
    (yaml) => `%YAML 1.1\n---\n${yaml}`,
    (yaml) => `${yaml}---\n${yaml}`,
    (yaml) => `waivers:\n${yaml.replaceAll(/^/gm, '  ')}`,
    (yaml) => yaml.repeat(200),
    (yaml) => yaml.repeat(1_000),
  ),
);

const anyCase: fc.Arbitrary<WaiverCase> = fc
  .array(anyChange, { maxLength: 4 })
  .map((changes) => ({ yaml: changes.reduce((yaml, change) => change(yaml), VALID) }));

/** Changed waiver files. */
export const WAIVERS = target<WaiverCase>('waiver files', anyCase, async (emulator) => ({
  async play({ yaml }) {
    await using workspace = await makeWorkspace({ 'hero.png': png('hero'), 'w.yml': yaml });
    const run = await runWithSecrets({
      workspace: workspace.path,
      service: emulator.workspace({ scenario: { default: { issues: [{ severity: 'CRITICAL', ruleCode: 'AD-17' }] } } }),
      baseUrl: emulator.baseUrl,
      clockFactor: CLOCK_FACTOR,
      env: NO_GITHUB,
      inputs: { 'waivers-file': 'w.yml', files: '*.png' },
    });
    expectSound(run);
    if (run.outputs['verdict'] === 'pass') assert.ok(isWaived(yaml), 'A pass without a waiver');
    assert.ok(run.service.submissions.length <= 1, 'More than one submission was created');
  },
  async [Symbol.asyncDispose]() {},
}));

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
