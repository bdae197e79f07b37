import { describe, expect } from 'vitest';
import type { Scenario } from '../../emulator/emulator.ts';
import { OUTPUTS } from '../../src/publish/publish.ts';
import { type GateOptions, it } from '../harness/fixtures.ts';
import { mp4, pdf, png } from '../harness/media.ts';

const FILES = { 'hero.mp4': mp4('hero'), 'logo.png': png('logo'), 'terms.pdf': pdf('terms') };
const finding = (severity: string): Scenario => ({ default: { issues: [{ severity }] } });

describe.concurrent('every verdict', () => {
  it.for<[string, Pick<GateOptions, 'scenario' | 'inputs'>, string]>([
    ['nothing found', {}, 'pass  0'],
    ['an issue below the threshold', { scenario: finding('MAJOR') }, 'pass  0'],
    ['a CRITICAL issue', { scenario: finding('CRITICAL') }, 'fail issues 1'],
    ['a lower threshold', { scenario: finding('MINOR'), inputs: { 'fail-on-severity': 'minor' } }, 'fail issues 1'],
    ['an outage', { scenario: { faults: [{ on: 'submissions/create', status: 503 }] } }, 'error service 1'],
    ['no file', { inputs: { files: '*.flac', 'if-no-files-found': 'error' } }, 'error no-files 1'],
  ])('%s', async ([, options, expected], { gate }) => {
    const run = await gate({ files: FILES, ...options });
    const { verdict, reason } = run.outputs;
    expect(`${verdict} ${reason} ${run.exitCode}`, run.log).toBe(expected);
    expect(Object.keys(run.outputs)).toEqual(Object.keys(OUTPUTS));
    expect(run.log).toMatch(new RegExp(`, verdict ${verdict}\\n(What to do: .*\\n)?$`));
    expect(run.summary).not.toBe('');
    expect(run.log, 'Only a defect of the action has a stack.').not.toMatch(/^ +at /m);
  });

  it('a dry run needs no key: it shows the plan, whatever if-no-api-key says', async ({ gate }) => {
    const run = await gate({ files: FILES, inputs: { 'dry-run': 'true', 'api-key': '', 'if-no-api-key': 'skip' } });
    expect(run.outputs).toMatchObject({ verdict: 'skipped', reason: 'dry-run' });
    expect(run.summary).toContain('In a real run: 3 billed');
    expect(run.service.requests).toEqual([]);
  });

  it('a run without a key names the files that nobody checks, and sends nothing', async ({ gate }) => {
    const run = await gate({ files: FILES, inputs: { 'api-key': '', 'if-no-api-key': 'skip' } });
    expect(run.outputs).toMatchObject({ verdict: 'skipped', reason: 'no-key', 'files-matched': '3' });
    expect(run.readableSummary).toMatch(/NOT CHECKED: There is no API key/);
    for (const path of Object.keys(FILES)) expect(run.readableSummary.split('Not checked (3)')[1]).toContain(path);
    expect(run.service.requests).toEqual([]);
  });

  const [key, stateKey] = [`sk_live_${'5ec3e7'.repeat(8)}`, '5ec3e7-of-the-state'];
  it.for<[string, Readonly<Record<string, string>>]>([
    ['a password in base-url', { 'base-url': 'https://robot:p@ss/5ec3e7@compliance.example.com' }],
    ['the API key in the place of the address', { 'api-key': 'https://service.example.net', 'base-url': key }],
    ['the state key in the place of a number', { 'state-key': stateKey, 'max-files': stateKey }],
  ])('%s is refused, and written nowhere', async ([, inputs], { gate }) => {
    const run = await gate({ files: FILES, inputs });
    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'bad-input' });
    expect(run.service.requests).toEqual([]);
    expect([...run.written].filter(([, text]) => text.includes('5ec3e7')).map(([name]) => name)).toEqual([]);
  });
});
