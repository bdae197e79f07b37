import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createRunner, type Runner } from '../../src/github/runner.ts';

let printed = '';

beforeEach(() => {
  printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const HOSTILE = ' ::error::x\n##[error]y';
const HARMLESS = String.raw` \u{3a}:error::x\n#\u{23}[error]y`;

it('the log prints every text as one line that is no command, and each warning once', async () => {
  const { log, fail, spent } = createRunner();
  log.info(HOSTILE);
  log.warning(HOSTILE);
  log.warning(HOSTILE);
  await log.group(HOSTILE, async () => await Promise.resolve());
  fail(HOSTILE);
  process.exitCode = undefined;
  const before = ['', '::warning::', '::group::', '::error::'];
  const lines = printed.split('\n').filter((line) => line !== '' && line !== '::endgroup::');
  expect(lines).toEqual(before.map((command) => command + HARMLESS));
  expect(spent).toEqual({ error: 0, warning: 1, notice: 0 });
});

function withVariables(variables: Record<string, string>): Runner {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  return createRunner();
}

it('an annotation has its title and its place', () => {
  const { annotate } = createRunner();
  annotate({ level: 'error', title: 'Title', message: 'Text', path: 'a.png' });
  annotate({ level: 'notice', title: 'Title', message: 'Text' });
  expect(printed.split('\n')).toEqual(['::error title=Title,file=a.png::Text', '::notice title=Title::Text', '']);
});

it.each([
  ['without a runner a secret is not printed to be hidden', '', 'secret', ''],
  ['with a runner a secret is hidden', '/outputs', 'secret', '::add-mask::secret\n'],
  ['with a runner nothing is hidden for an empty input', '/outputs', '', ''],
])('%s', (_, GITHUB_OUTPUT, secret, expected) => {
  withVariables({ GITHUB_OUTPUT }).mask(secret);
  expect(printed).toBe(expected);
});

it.each([
  ['https://github.com', 't', true],
  ['', 't', true],
  ['https://acme.ghe.com', 't', true],
  ['http://github.localhost', 't', true],
  ['https://github.acme.example', 't', false],
  ['https://github.com.acme.example', 't', false],
  ['https://github.com', '', false],
])('artifacts at "%s", with the token "%s": %s', (GITHUB_SERVER_URL, ACTIONS_RUNTIME_TOKEN, expected) => {
  const place = { GITHUB_SERVER_URL, ACTIONS_RUNTIME_TOKEN, ACTIONS_RESULTS_URL: 'https://results.example' };
  expect(withVariables(place).hasArtifacts).toBe(expected);
});
