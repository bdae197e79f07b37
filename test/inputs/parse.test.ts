import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type Inputs, type Policy, readInputs } from '../../src/inputs/parse.ts';
import { it as base } from '../harness/fixtures.ts';

const LIVE_KEY = `sk_live_${'0123456789abcdef'.repeat(4)}`;
const SIDEKICK = 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11';
const ISSUE_URL = 'https://s.example/{submissionId}/{assetId}/{issueId}?n={referenceNumber}';

type Values = Readonly<Record<string, string>>;

function read(values: Values, workspace = '/home/me/repo'): ReturnType<typeof readInputs> {
  const all: Values = { 'api-key': LIVE_KEY, 'base-url': 'https://service.example', ...values };
  return readInputs((name) => all[name] ?? '', workspace);
}

function parse(values: Values): Inputs {
  const { inputs, problems } = read(values);
  expect(problems).toEqual([]);
  return inputs;
}

function problemsOf(values: Values, workspace?: string): readonly string[] {
  return read(values, workspace).problems.map(
    (cause) => `${cause.message} ${cause.steps.map(({ text }) => text).join(' ')}`,
  );
}

const NAMES = ['a, b.png', 'Spring, 2026/a.png', '- x/a.png', '"quoted"/a.png'];

const it = base.extend('problems', ({ makeFolder }) => async (value: string) => {
  const searchRoot = await makeFolder(Object.fromEntries(NAMES.map((name) => [name, 'x'])));
  await symlink('nowhere', path.join(searchRoot, 'broken, link.png'));
  return problemsOf({ files: value }, searchRoot);
});

// biome-ignore format: a table
test.each<[string, files: string, selected: string[], others: string[]]>([
  ['without blank lines and comments', '*.txt\n\n  # c\n !x.txt ', ['a.txt'], ['x.txt', '# c', 'a.mp4']],
  ['only excludes: the default files, without those', '!x\n# y\n!*.mp4', ['y/a.mp4', 'a.PNG'], ['a.mp4', 'x/a.png']],
  ['an exclude before the first line of another kind', '!x\n*.txt', ['a.txt'], ['a.png']],
  ['not set, or only comments: the default files', '# x', ['x/a.mp4', 'a.PNG'], ['a.txt', 'a.ts']],
])('`files`, %s', (_, text, selected, others) => {
  const { files } = parse({ files: text });
  expect([...selected, ...others].filter(files.selects)).toEqual(selected);
});

test.each([
  ['', 'not set.'],
  ['ftp://127.0.0.1', '"ftp://127.0.0.1", which is not an https address.'],
  ['http://localhost.evil.example', '"http://localhost.evil.example", which is not an https address.'],
  ['http://127.0.0.1.evil.example', '"http://127.0.0.1.evil.example", which is not an https address.'],
  ...['user:pass@service.example', 'https://user:p@ss/word@service.example', 'http://a.example/?key=secret'].map(
    (value) => [value, 'an address with a user name, a password, a query or a fragment (not shown).'],
  ),
])('a base-url that is not allowed: %s', (value, problem) => {
  expect(problemsOf({ 'base-url': value })).toEqual([expect.stringContaining(`Input \`base-url\` is ${problem}`)]);
});

test.each<[string, string, string]>([
  ['fail-on-severity', 'CRITCAL', 'is "CRITCAL". `fail-on-severity` takes `CRITICAL`, `MAJOR`, `MINOR`, `INFO` or `n'],
  ['ignore-statuses', 'resolved, opn, none', 'is "OPN, NONE". `ignore-statuses` takes any of `OPEN`, '],
  ['issue-url', 'http://s.example', 'with any of `{referenceNumber}`, `{issueId}`, `{assetId}` and `{submissionId}`'],
  ['sidekick-ids', `abc, ${SIDEKICK}, def`, 'Input `sidekick-ids` is "ABC, DEF".'],
  ['comment', 'x'.repeat(101), `Input \`comment\` is "${'x'.repeat(99)}…".`],
])('a misspelt value: %s: %s', (name, value, problem) => {
  expect(problemsOf({ [name]: value })).toEqual([expect.stringContaining(problem)]);
});

it('a misspelt value counts as its default, and nothing is sent anywhere', () => {
  const refused: Values = { name: '../x', 'fail-on-severity': 'x', 'dry-run': 'x', 'working-directory': '..' };
  const { inputs } = read({ ...refused, comment: 'always' });
  expect(inputs).toMatchObject({
    name: 'media-compliance',
    policy: { failOnSeverity: 'CRITICAL' },
    dryRun: false,
    searchRoot: '/home/me/repo',
    service: undefined,
    comment: 'never',
    reportArtifact: false,
  });
});

test.each([
  ['max-files', 'always'],
  ['api-key', 'always'],
  ['name', 'never'],
  ['comment', 'never'],
] as const)('a problem with another input keeps the input `comment`: %s', (name, expected) => {
  expect(read({ comment: 'always', [name]: '?' }).inputs.comment).toBe(expected);
});

test.each<[string, string, keyof Inputs | keyof Policy, unknown]>([
  ['fail-on-severity', 'major', 'failOnSeverity', 'MAJOR'],
  ['fail-on-issues', 'New', 'failOnIssues', 'new'],
  ['report-artifact', 'false', 'reportArtifact', false],
  ['state-key', 'k'.repeat(16), 'stateKey', 'k'.repeat(16)],
  ['name', 'n'.repeat(64), 'name', 'n'.repeat(64)],
  ['ignore-statuses', 'dismissed\nOPEN, open,', 'ignoreStatuses', ['DISMISSED', 'OPEN']],
  ['sidekick-ids', `${SIDEKICK.toUpperCase()}, ${SIDEKICK}`, 'sidekickIds', [SIDEKICK]],
  ['metadata', 'none', 'metadata', 'none'],
  ['metadata', '{"a":{"b":[[1]]}}', 'metadata', { a: { b: [[1]] } }],
  ['issue-url', ISSUE_URL, 'issueUrl', ISSUE_URL],
  ['waivers-file', './compliance/waivers.yml', 'waiversFile', 'compliance/waivers.yml'],
  ['waivers-file', '..rules\\waivers.yml', 'waiversFile', '..rules/waivers.yml'],
  ['contact', ` ${'c'.repeat(200)}\n`, 'contact', 'c'.repeat(200)],
  ['contact', 'Ann, https://chat.example', 'contact', 'Ann, https://chat.example'],
  ['matrix', 'null', 'matrix', ''],
  ['matrix', '{ "folder": null }', 'matrix', '{ "folder": null }'],
])('allowed: %s: %s', (name, value, field, expected) => {
  const { policy, ...inputs } = parse({ [name]: value });
  expect({ ...inputs, ...policy }).toMatchObject({ [field]: expected });
});

test.each([
  ['https://a.example', 'https://a.example/api/integrations'],
  ['https://a.example//', 'https://a.example/api/integrations'],
  ['https://a.example/tenant/', 'https://a.example/tenant/api/integrations'],
  ['https://a.example/api/integrations/', 'https://a.example/api/integrations'],
  ['https://a.example/api/v12/integrations', 'https://a.example/api/v12/integrations'],
  ['https://a.example/api/integrations/x', 'https://a.example/api/integrations/x/api/integrations'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/api/integrations'],
  ['http://[::1]:8080', 'http://[::1]:8080/api/integrations'],
])('allowed base-url: %s', (given, expected) => {
  expect(parse({ 'base-url': given }).service?.baseUrl).toBe(expected);
});

it('the key is trimmed, and alone decides about the mode', () => {
  const event = { 'sandbox-event': 'asset.processing.failed', 'sandbox-error-message': 'Broken.' };
  const sandbox = parse({ 'api-key': '  sk_test_anything\n', ...event });
  expect(sandbox.service).toMatchObject({ apiKey: 'sk_test_anything', mode: 'sandbox' });
  expect(sandbox).toMatchObject({ sandboxEvent: 'asset.processing.failed', sandboxErrorMessage: 'Broken.' });
  expect(parse({ 'api-key': LIVE_KEY.replace(/abcdef/g, 'ABCDEF') }).service?.mode).toBe('live');
});

test.each<[string, keyof Inputs, limits: [number, number], otherwise: number | undefined]>([
  ['max-files', 'maxFiles', [1, 100_000], 500],
  ['reuse-days', 'reuseDays', [0, 3_650], 90],
  ['wait-timeout-minutes', 'waitTimeoutMinutes', [1, 4_320], 30],
  ['simulation-delay-seconds', 'simulationDelaySeconds', [0, 30], undefined],
])('%s has limits and a default', (name, field, [min, max], otherwise) => {
  const results = [min - 1, min, max, max + 1].map((value) => read({ 'api-key': 'sk_test_x', [name]: String(value) }));
  expect(results.map(({ inputs }) => inputs[field])).toEqual([otherwise, min, max, otherwise]);
  expect(results.map(({ problems }) => problems.length)).toEqual([1, 0, 0, 1]);
});

test.each<[string, ...values: string[]]>([
  ['files', '../a.png', '!../a.png'],
  ['if-no-api-key', 'warn'],
  ['comment', 'on', 'alway'],
  ['name', 'a/b', 'a b', '-a', 'n'.repeat(65)],
  ['reuse-days', '-1', '1.5', '5.0'],
  ['wait-timeout-minutes', '0x10'],
  ['sidekick-ids', 'abc', `${SIDEKICK}0`, `0${SIDEKICK}`, ',', '\n,,\n'],
  ['metadata', '[1]', 'null', '{"a": 1,}'],
  ['issue-url', 'https://s.example/{id}', 'https://s.example/{issueId}/{id}'],
  ['issue-url', '{issueId}', 'javascript:alert({issueId})'],
  ['waivers-file', '../waivers.yml', '/etc/waivers.yml', 'a/../..', 'C:\\waivers.yml', 'c:waivers.yml'],
  ['contact', 'c'.repeat(201), 'Ann\nBen', 'Ann\rBen'],
  ['state-key', 'k'.repeat(15)],
])('a value is refused: %s: %j', (name, ...values) => {
  for (const value of values) {
    const [problem, ...others] = problemsOf({ [name]: value });
    expect(others).toEqual([]);
    expect(problem).toContain(`Input \`${name}\` is `);
    expect(problem).toContain(`\`${name}\` takes `);
  }
});

it('a refused value is never shown if it is secret', () => {
  const shown = problemsOf({ 'api-key': 'sk_live_topsecret', 'state-key': 'alsosecret' });
  expect(shown).toHaveLength(2);
  expect(shown.join()).not.toMatch(/topsecret|alsosecret/);
});

test.each([
  [`"${LIVE_KEY}"`, 74],
  [`${LIVE_KEY}0`, 73],
  [`x${LIVE_KEY}`, 73],
  ['xsk_test_a', 10],
  [LIVE_KEY.slice(0, -1), 71],
  ['sk_test_', 8],
  ['sk_test_a b', 11],
])('a value is refused: the key %s', (key, length) => {
  const problem = `Input \`api-key\` is not a whole key of the service (${length} characters, not shown).`;
  expect(problemsOf({ 'api-key': key })).toEqual([expect.stringContaining(problem)]);
});

const EVENT = { 'sandbox-event': 'asset.processing.completed' };
const MESSAGE = { 'sandbox-error-message': 'Broken.' };
const SANDBOX = { 'api-key': 'sk_test_x' };

test.each<[string, needed: string, Values]>([
  ['a delay', 'with a sandbox key (`sk_test_…`)', { 'simulation-delay-seconds': '5' }],
  ['an event', 'with a sandbox key (`sk_test_…`)', EVENT],
  ['an error text', 'with a sandbox key (`sk_test_…`)', MESSAGE],
  ['an error text without an event', 'beside `sandbox-event: asset.processing.failed`', { ...SANDBOX, ...MESSAGE }],
  ['that of another event', 'beside `sandbox-event: asset.processing.failed`', { ...SANDBOX, ...MESSAGE, ...EVENT }],
])('a value is refused: %s is possible only %s', (_, needed, values) => {
  expect(problemsOf(values)).toEqual([expect.stringContaining(`only ${needed}`)]);
});

it('a missing key and all refused values are reported at once, each line of `files` by itself', () => {
  const problems = problemsOf({ 'api-key': '', 'base-url': '', files: '/a\nok\n../b', comment: 'x' });
  expect(problems[0]).toMatch(/^There is no API key: .*secrets\.COMPLIANCE_API_KEY.*misspelt.*forks.*Dependabot/);
  const inputs = problems.slice(1).map((problem) => /`(.*?)`/.exec(problem)?.[1]);
  expect(inputs).toEqual(['base-url', 'files', 'files', 'comment']);
});

test.each([
  ['if-no-api-key', 'skip'],
  ['dry-run', 'true'],
])('base-url is not needed with %s: %s', (name, value) => {
  const values = { [name]: value };
  // A pull request from a fork gets neither secrets nor variables, so `base-url` is empty as well.
  const none = { ...values, 'api-key': '', 'base-url': '' };
  expect(parse(none).service).toBeUndefined();
  expect(parse(values).service?.mode).toBe('live');
  expect(parse({ ...none, 'simulation-delay-seconds': '5' }).simulationDelaySeconds).toBe(5);
  expect(problemsOf({ ...none, 'max-files': 'x' })).toHaveLength(1);
  expect(problemsOf({ ...none, 'dry-run': 'true', 'if-no-api-key': 'warn' })).toHaveLength(1);
});

it.for<[value: string, root: string | undefined]>([
  ['site', 'site'],
  ['./site/deep/', 'site/deep'],
  ['site/a.png', undefined],
  ['missing', undefined],
  ['..', undefined],
  ['../other', undefined],
  ['site/../site', 'site'],
  ['linked', undefined],
  ['linked/deep', undefined],
])('working-directory: %s in a workspace that is itself behind a link', async ([value, root], { makeFolder }) => {
  const folder = await makeFolder({ 'real/site/a.png': 'x', 'real/site/deep/b.png': 'x', 'other/a.png': 'x' });
  const workspace = path.join(folder, 'link');
  await symlink('real', workspace);
  await symlink('site', path.join(workspace, 'linked'));
  const { inputs, problems } = read({ 'working-directory': value }, workspace);
  expect(inputs.searchRoot).toBe(path.join(workspace, root ?? ''));
  expect(problems).toMatchObject(root === undefined ? [{ message: expect.stringContaining('not a folder') }] : []);
});

it.for<[value: string, wrong: string]>([
  ['docs/**\n- media/**', '- media/**'],
  ['"media/**"', '"media/**"'],
  ["'media/**'", "'media/**'"],
  ['`media/**`', '`media/**`'],
  ['**\n!"x"', '!"x"'],
  ['media/**, docs/**', 'media/**, docs/**'],
  ['**/*.{png, jpg}', '**/*.{png, jpg}'],
  ['!Spring, 2027/**', '!Spring, 2027/**'],
])('a line that is written like a list is refused: %j', async ([value, wrong], { problems }) => {
  const takes = '`files` takes one pattern in each line, without list mark, quotation marks, or comma with a space.';
  expect(await problems(value)).toEqual([
    expect.stringContaining(`Input \`files\` is ${JSON.stringify(wrong)}. ${takes}`),
  ]);
});

it.for([
  ...NAMES,
  ...NAMES.map((name) => `!${name}`),
  '!broken, link.png',
  'Spring, 2026',
  'Spring, 2026/',
  '*.{png,jpg}\nx',
  'a,b',
  '-x.png',
  `it's "new".png`,
])('%j is one pattern', async (value, { problems }) => {
  expect(await problems(value)).toEqual([]);
});
