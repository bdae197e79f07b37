import path from 'node:path';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { DEFAULTS, type InputName } from '../../src/inputs/reader.ts';
import { png } from '../../test/harness/media.ts';
import { makeWorkspace } from '../../test/harness/workspace.ts';
import { anyText } from '../../test/report/arbitrary.ts';
import { fuzz, runSound } from './play.ts';

interface InputCase {
  readonly mode: 'live' | 'sandbox';
  /** `{workspace}`, `{url}` and `{key}` are filled in when the case runs. */
  readonly inputs: Readonly<Record<string, string>>;
}

/** Hostile paths of output files, all inside the workspace. */
const OUTPUT_PATHS = ['out/x', '::error::x', 'a\nb', '\u202e#%20?', 'ä/ö'].map((name) => `{workspace}/${name}`);

const VALID: readonly (readonly [InputName, readonly string[]])[] = [
  ['api-key', [' {key}\n']],
  ['base-url', ['{url}/', '{url}/api/integrations', '{url}//']],
  ['fail-on-severity', ['critical', 'MAJOR', 'minor', 'Info', 'never']],
  ['fail-on-issues', ['all', 'new']],
  ['comment', ['on-failure', 'always']],
  ['only-changed', ['true', 'False']],
  ['waivers-file', ['w.yml', './w.yml']],
  ['on-service-error', ['warn']],
  ['name', ['a', 'a.b_c-d', 'a'.repeat(64), 'constructor']],
  ['reuse-days', ['0', '1', '3650']],
  ['max-files', ['2', '100000']],
  ['ignore-statuses', ['RESOLVED', 'open', 'resolved\nacknowledged']],
  ['metadata', ['{"a":[1,{"b":null}]}', '{"repository":"mine"}', '{"__proto__":{"a":1}}', 'none', '{"a":1e999}']],
  ['wait-timeout-minutes', ['1', '4320']],
  ['issue-url', ['https://s.example/{issueId}', 'https://s.example/?{assetId}{assetId}#{submissionId}']],
  ['state-file', OUTPUT_PATHS.map((name) => `${name}-state.json`)],
  ['state-key', ['a secret of the right length', 'ä'.repeat(16), 'x\ny'.repeat(20)]],
  ['matrix', ['null', '{"os":"linux"}', '[]', '"x"', '{"__proto__":1}']],
];

const PIECES = '** * ? / ! . one two .png [ot] [!o {one,two} { \\ #'.split(' ');

/** Lines of pattern pieces, of which many mean nothing. */
const anyPatterns: fc.Arbitrary<string> = fc
  .array(fc.constantFrom('\n', ...PIECES), { minLength: 1, maxLength: 8 })
  .map((pieces) => pieces.join(''));

const validInput: fc.Arbitrary<readonly [string, string]> = fc.oneof(
  { weight: 1, arbitrary: fc.tuple(fc.constant('files'), anyPatterns) },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom(...VALID)
      .chain(([name, values]) => fc.tuple(fc.constant(name), fc.constantFrom(...values))),
  },
);

/** Other values for these could leave the workspace, or look like a leaked secret. */
const NO_OTHER_TEXT: readonly string[] = ['state-file', 'api-key', 'state-key', 'github-token'];

/** Values that fit one input or another, and are almost valid for the others. */
const anyInput: fc.Arbitrary<readonly [string, string]> = fc.tuple(
  fc.constantFrom(...Object.keys(DEFAULTS).filter((name) => !NO_OTHER_TEXT.includes(name))),
  fc.oneof(
    fc.constantFrom('0', '65', '400', '-1', '+1', '1.0', '1e1', '0x10', '٣', '9'.repeat(30), 'NaN', ' '),
    fc.constantFrom('True', 'yes', 'tRUE', 'Never', 'ALWAYS', 'CRITICAL,MAJOR', 'OPEN, RESOLVED', ',', 'none', 'None'),
    fc.constantFrom('{}', '[]', '{', '"x"', '{workspace}', '../x', '/etc/hostname', 'missing', 'one.png', '{url}?x=1'),
    fc.constantFrom('00000000-0000-4000-8000-000000000000', 'https://s.example/{unknown}', 'javascript:1', '-a', '..'),
    // An environment variable cannot hold this character.
    anyText.map((text) => text.replaceAll('\0', '\u0001')),
  ),
);

/** Half of the cases are valid: one invalid value ends a run before its first request. */
const anyCase: fc.Arbitrary<InputCase> = fc.record({
  mode: fc.constantFrom('live', 'live', 'sandbox'),
  inputs: fc
    .tuple(fc.array(validInput, { minLength: 1, maxLength: 5 }), fc.array(anyInput, { maxLength: 1 }))
    .map(([valid, any]) => Object.fromEntries([...valid, ...any])),
});

const WAIVERS = '- { rule: AD-18, path: two.png, owner: o, reason: r, expires: 2999-01-01 }\n';

it('inputs of the action', async () => {
  await fuzz(anyCase, async ({ mode, inputs }, emulator) => {
    await using workspace = await makeWorkspace({ 'one.png': png('one'), 'two.png': png('two'), 'w.yml': WAIVERS });
    const scenario = { files: [{ match: 'two-', issues: [{ severity: 'CRITICAL', ruleCode: 'AD-17' }] }] };
    const service = emulator.workspace({ scenario, mode });
    const fill = (value: string): string =>
      value
        .replaceAll('{workspace}', workspace.path)
        .replaceAll('{url}', emulator.baseUrl)
        .replaceAll('{key}', service.key);
    const run = await runSound({
      workspace: workspace.path,
      service,
      baseUrl: emulator.baseUrl,
      inputs: {
        'state-file': path.join(workspace.path, 'state.json'),
        ...Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, fill(value)])),
      },
    });
    expect(service.submissions.length, 'More than one submission was created').toBeLessThanOrEqual(1);
    const bad = invalidInputs(inputs);
    if (bad.length > 0) {
      expect(run.outputs['verdict'], `${bad.join(', ')}: invalid, but not refused`).toBe('error');
      expect(service.requests, `${bad.join(', ')}: invalid, but a request was sent`).toEqual([]);
    }
    if (run.outputs['verdict'] === 'pass' && mode === 'live')
      expect(isLenient(inputs), 'A pass with a CRITICAL issue').toBe(true);
  });
});

const FLAG = /^(true|false)$/i;
const SETS: Readonly<Partial<Record<InputName, RegExp>>> = {
  'fail-on-severity': /^(critical|major|minor|info|never)$/i,
  'fail-on-issues': /^(all|new)$/,
  comment: /^(never|on-failure|always)$/,
  'only-changed': FLAG,
  'if-no-files-found': /^(warn|error|ignore)$/,
  'if-no-api-key': /^(error|skip)$/,
  'on-service-error': /^(error|warn)$/,
  'reuse-days': /^\d+$/,
  'max-files': /^0*[1-9]\d*$/,
  'wait-timeout-minutes': /^0*[1-9]\d*$/,
  'simulation-delay-seconds': /^0*([12]?\d|30)$/,
  'report-artifact': FLAG,
  'dry-run': FLAG,
};

/** Names of inputs with a value that action.yml does not allow. An empty value is the default. */
function invalidInputs(inputs: InputCase['inputs']): readonly string[] {
  return Object.entries(SETS)
    .filter(([name, set]) => inputs[name]?.trim() && !set.test(inputs[name].trim()))
    .map(([name]) => name);
}

/** Whether the inputs allow the file with the CRITICAL issue to pass. */
function isLenient(inputs: InputCase['inputs']): boolean {
  return (
    inputs['files'] !== undefined ||
    inputs['fail-on-severity']?.trim().toLowerCase() === 'never' ||
    /open/i.test(inputs['ignore-statuses'] ?? '') ||
    inputs['sidekick-ids'] !== undefined
  );
}
