import { expect } from 'vitest';
import { it } from '../harness/fixtures.ts';
import { startFront } from '../harness/front.ts';
import { images } from '../harness/media.ts';

const NAMES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];

const THREE = [{ severity: 'MINOR' }, { severity: 'MINOR' }, { severity: 'CRITICAL' }];

it('issues are read from a list of any shape, or from the asset itself', async ({ gate }) => {
  const lists = ['array', 'issues', 'items', 'findings', 'unreadable'].map((as) => ({ as }));
  const shapes = [...lists, { pageSize: 1 }, { short: 1 }];
  const files = NAMES.map((name, index) => ({ match: `${name}-`, issues: THREE, issuesList: shapes[index] ?? {} }));
  const run = await gate({ files: images(...NAMES), scenario: { files, extraFields: true } });
  expect(run.outputs).toMatchObject({ verdict: 'fail', 'issue-count': '21', 'critical-count': '7' });
  expect(run.text).not.toContain('could be read');
});

const escapeKey = (body: string): string => body.replaceAll('sk_live_', String.raw`\u0073k_live_`);

it('a key that the service repeats with a JSON escape is written nowhere', async ({ gate, emulator, makeFolder }) => {
  const service = emulator.workspace();
  service.load({ default: { issues: [{ severity: 'CRITICAL', summary: `It was ${service.key}.` }] } });
  await using front = await startFront(emulator.baseUrl, { fault: () => escapeKey });
  const inputs = { 'state-file': `${await makeFolder()}/state.json` };
  const run = await gate({ service, baseUrl: front.url, inputs });
  expect(run.outputs).toMatchObject({ verdict: 'fail', reason: 'issues' });
  expect(run.readableSummary).toContain('It was');
});
