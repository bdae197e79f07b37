import assert from 'node:assert/strict';
import path from 'node:path';
import * as fc from 'fast-check';
import type { InputName } from '../../src/inputs/inputs.ts';
import { anyText } from '../../test/faults/hostile.ts';
import { runWithSecrets } from '../../test/harness/invariants.ts';
import { png } from '../../test/harness/media.ts';
import { makeWorkspace } from '../../test/harness/workspace.ts';
import { CLOCK_FACTOR, expectSound, NO_GITHUB, target } from './target.ts';

interface InputCase {
  readonly mode: 'live' | 'sandbox';
  /** `{workspace}`, `{url}` and `{key}` are filled in when the case runs, `{nested}` is a deeply nested JSON. */
  readonly inputs: Readonly<Record<string, string>>;
}

const NUMBERS = [
  '0',
  '1',
  '2',
  '64',
  '65',
  '400',
  '-1',
  '+1',
  '1.0',
  '1e1',
  '0x10',
  '٣',
  '１',
  '9'.repeat(30),
  'NaN',
  '',
];
const FLAGS = ['true', 'false', 'True', 'FALSE', 'yes', 'on', '1', 'tRUE', ' true\n', ''];
/** Deeper than the stack allows. */
const NESTED = '{nested}';

/** Hostile paths of output files, all inside the workspace. */
const OUTPUT_PATHS = ['out/x', '::error::x', 'a\nb', '\u202e#%20?', 'ä/ö'].map((name) => `{workspace}/${name}`);

/** Values that are almost valid; hostile text comes on top. */
const ALMOST_VALID: Readonly<Record<InputName, readonly string[]>> = {
  'api-key': [
    '{key}',
    ' {key}\n',
    '{key}0',
    'sk_live_0123456789',
    'sk_test_ä0123456789abcdef',
    'SK_LIVE_0123456789abcdef',
    '',
  ],
  'base-url': [
    '{url}',
    '{url}/',
    '{url}/api/integrations',
    '{url}/api/v1/integrations/',
    '{url}//',
    '{url}/?x=1',
    '{url}#x',
  ],
  files: [
    '**',
    '*.png',
    '!*.png',
    '**/*.png\n!two.png',
    '{one,two}.png',
    '[',
    '***',
    '{workspace}/*.png',
    '../*',
    '#',
    'a\\',
  ],
  'fail-on-severity': ['CRITICAL', 'critical', 'MAJOR', 'minor', 'Info', 'never', 'NEVER', 'CRITICAL,MAJOR', ''],
  'fail-on-issues': ['all', 'new', 'New', ''],
  comment: ['never', 'on-failure', 'always', 'Always', ''],
  'only-changed': FLAGS,
  'waivers-file': ['w.yml', './w.yml', '{workspace}/w.yml', '../w.yml', 'one.png', '.', '/etc/hostname', 'w.yml/'],
  'working-directory': ['', '.', '..', '/', 'media', 'missing', 'a.png', '{workspace}', 'a\nb'],
  'if-no-files-found': ['warn', 'error', 'ignore', 'WARN', ''],
  'if-no-api-key': ['error', 'skip', 'Skip', ''],
  'on-service-error': ['error', 'warn', 'WARN', ''],
  name: [
    'media-compliance',
    'a',
    'a.b_c-d',
    '-a',
    'a b',
    'a/b',
    'a'.repeat(64),
    'a'.repeat(65),
    'ä',
    '..',
    'constructor',
  ],
  'reuse-days': NUMBERS,
  'max-files': NUMBERS,
  'ignore-statuses': [
    'RESOLVED',
    'open',
    'OPEN, RESOLVED',
    ',',
    'RESOLVED;DISMISSED',
    'resolved\nacknowledged',
    'NONE',
  ],
  'sidekick-ids': [
    '00000000-0000-4000-8000-000000000000',
    '00000000-0000-4000-8000-000000000000\n00000000-0000-4000-8000-000000000001',
    '00000000-0000-4000-8000-00000000000g',
    ',',
    '{}',
  ],
  metadata: [
    '{}',
    '{"a":1}',
    '{"repository":"mine"}',
    '{"__proto__":{"a":1}}',
    'none',
    'None',
    '[]',
    'null',
    '{"a":1e999}',
    NESTED,
  ],
  'upload-concurrency': NUMBERS,
  'wait-timeout-minutes': NUMBERS,
  'issue-url': [
    'https://s.example/{issueId}',
    'https://s.example/{unknown}',
    'http://s.example',
    'https://{issueId}',
    'https://s/{',
    'javascript:1',
  ],
  'report-dir': [...OUTPUT_PATHS, 'out', 'one.png/out', 'a'.repeat(300)],
  'report-artifact': FLAGS,
  'retention-days': NUMBERS,
  'state-file': OUTPUT_PATHS.map((name) => `${name}-state.json`),
  'state-key': ['a secret of the right length', 'ä'.repeat(16), 'x'.repeat(15), 'x\ny'.repeat(20), 'x'.repeat(50_000)],
  'dry-run': FLAGS,
  'github-token': [
    'ghs_0123456789abcdef0123456789abcdef0123',
    'a token\nwith two lines, which is wrong',
    'ä-token-that-no-header-takes',
  ],
  'simulation-delay-seconds': NUMBERS,
  'sandbox-error-message': ['', 'It failed.'],
  'sandbox-event': ['asset.processing.completed', 'asset.processing.failed', 'asset.processing', ''],
  matrix: ['null', '{"os":"linux"}', '[]', '"x"', '1', '{', '{"__proto__":1}', NESTED],
};

/** Other values for these could leave the workspace, or look like a leaked secret. */
const NO_OTHER_TEXT: readonly string[] = ['report-dir', 'state-file', 'api-key', 'state-key', 'github-token'];

const anyInput: fc.Arbitrary<readonly [string, string]> = fc
  .constantFrom(...Object.entries(ALMOST_VALID))
  .chain(([name, values]) =>
    fc.tuple(
      fc.constant(name),
      NO_OTHER_TEXT.includes(name)
        ? fc.constantFrom(...values)
        : fc.oneof(
            { weight: 3, arbitrary: fc.constantFrom(...values) },
            // An environment variable cannot hold this character.
            { weight: 1, arbitrary: anyText.map((text) => text.replaceAll('\0', '\u0001')) },
          ),
    ),
  );

/** Valid values, alone and together. */
const GOOD: readonly (readonly [InputName, readonly string[]])[] = [
  ['api-key', [' {key}\n']],
  ['base-url', ['{url}/', '{url}/api/integrations', '{url}//']],
  ['files', ['**', '*.png', '**/*.png\n!one.png', '{one,two}.png', '[ot]*.png', '# all\n*.PNG']],
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
  ['metadata', ['{}', '{"a":[1,{"b":null}]}', '{"repository":"mine"}', '{"__proto__":{"a":1}}', 'none', '{"a":1e999}']],
  ['upload-concurrency', ['1', '64']],
  ['wait-timeout-minutes', ['1', '4320']],
  [
    'issue-url',
    ['https://s.example/{issueId}', 'https://{issueId}', 'https://s.example/?{assetId}{assetId}#{submissionId}'],
  ],
  ['report-dir', [...OUTPUT_PATHS, 'out']],
  ['state-file', OUTPUT_PATHS.map((name) => `${name}-state.json`)],
  ['state-key', ['a secret of the right length', 'ä'.repeat(16), 'x\ny'.repeat(20)]],
  ['matrix', ['null', '{"os":"linux"}', '[]', '"x"', '{"__proto__":1}']],
];

const goodInput: fc.Arbitrary<readonly [string, string]> = fc
  .constantFrom(...GOOD)
  .chain(([name, values]) => fc.tuple(fc.constant(name), fc.constantFrom(...values)));

/** Half of the cases are valid: one invalid value ends a run before its first request. */
const anyCase: fc.Arbitrary<InputCase> = fc.record({
  mode: fc.constantFrom('live', 'live', 'sandbox'),
  inputs: fc
    .tuple(fc.array(goodInput, { minLength: 1, maxLength: 5 }), fc.array(anyInput, { maxLength: 1 }))
    .map(([good, any]) => Object.fromEntries([...good, ...any])),
});

const WAIVERS = '- { rule: AD-18, path: two.png, owner: o, reason: r, expires: 2999-01-01 }\n';

/** Inputs of the action. */
export const INPUTS = target<InputCase>('inputs', anyCase, async (emulator) => ({
  async play({ mode, inputs }) {
    await using workspace = await makeWorkspace({ 'one.png': png('one'), 'two.png': png('two'), 'w.yml': WAIVERS });
    const scenario = { files: [{ match: 'two-', issues: [{ severity: 'CRITICAL', ruleCode: 'AD-17' }] }] };
    const service = emulator.workspace({ scenario, mode });
    const filled = Object.entries(inputs).map(([name, value]) => [
      name,
      value
        .replaceAll('{workspace}', workspace.path)
        .replaceAll('{url}', emulator.baseUrl)
        .replaceAll('{key}', service.key)
        .replaceAll('{nested}', () => `{"a":${'['.repeat(9_000)}${']'.repeat(9_000)}}`),
    ]);
    const given: Readonly<Record<string, string>> = {
      'state-file': path.join(workspace.path, 'state.json'),
      ...Object.fromEntries(filled),
    };
    const run = await runWithSecrets({
      workspace: workspace.path,
      service,
      baseUrl: emulator.baseUrl,
      clockFactor: CLOCK_FACTOR,
      env: NO_GITHUB,
      inputs: given,
    });
    expectSound(run);
    assert.ok(service.submissions.length <= 1, 'More than one submission was created');
    const bad = invalidInputs(given);
    if (bad.length > 0) {
      assert.equal(run.outputs['verdict'], 'error', `${bad.join(', ')}: invalid, but not refused`);
      assert.equal(service.requests.length, 0, `${bad.join(', ')}: invalid, but a request was sent`);
    }
    if (run.outputs['verdict'] === 'pass' && mode === 'live')
      assert.ok(isLenient(inputs), 'A pass with a CRITICAL issue');
  },
  async [Symbol.asyncDispose]() {},
}));

const SETS: Readonly<Partial<Record<InputName, RegExp>>> = {
  'fail-on-severity': /^(critical|major|minor|info|never)$/i,
  'fail-on-issues': /^(all|new)$/,
  comment: /^(never|on-failure|always)$/,
  'only-changed': /^(true|false|True|False|TRUE|FALSE)$/,
  'if-no-files-found': /^(warn|error|ignore)$/,
  'if-no-api-key': /^(error|skip)$/,
  'on-service-error': /^(error|warn)$/,
  'reuse-days': /^\d+$/,
  'max-files': /^0*[1-9]\d*$/,
  'upload-concurrency': /^0*([1-9]|[1-5]\d|6[0-4])$/,
  'wait-timeout-minutes': /^0*[1-9]\d*$/,
  'retention-days': /^0*[1-9]\d{0,2}$/,
  'simulation-delay-seconds': /^0*([12]?\d|30)$/,
  'report-artifact': /^(true|false|True|False|TRUE|FALSE)$/,
  'dry-run': /^(true|false|True|False|TRUE|FALSE)$/,
};

/** Names of inputs with a value that action.yml does not allow. An empty value is the default. */
function invalidInputs(inputs: Readonly<Record<string, string>>): readonly string[] {
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
