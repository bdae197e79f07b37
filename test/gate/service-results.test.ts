import { expect } from 'vitest';
import type { Scenario } from '../../emulator/emulator.ts';
import { it } from '../harness/fixtures.ts';
import { startFront } from '../harness/front.ts';
import { images } from '../harness/media.ts';

const NAMES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];

const THREE = [{ severity: 'MINOR' }, { severity: 'MINOR' }, { severity: 'CRITICAL' }];

it('issues are read from a list of any shape, and from the asset itself if the list is short or unreadable', async ({
  gate,
}) => {
  const shapes = [
    { as: 'array' },
    { as: 'issues' },
    { as: 'items' },
    { as: 'findings' },
    { pageSize: 1 },
    { short: 1 },
    { as: 'unreadable' },
  ];
  const files = NAMES.map((name, index) => ({ match: `${name}-`, issues: THREE, issuesList: shapes[index] ?? {} }));
  const run = await gate({ files: images(...NAMES), scenario: { files, extraFields: true } });

  expect(run.outputs).toMatchObject({ verdict: 'fail', 'issue-count': '21', 'critical-count': '7' });
  expect(run.text).not.toContain('could be read');
});

it.for<[string, Scenario]>([
  ['compresses its responses', { gzip: true }],
  ['redirects a read to a slash (307)', { redirectToSlash: 307 }],
  ['redirects a read to a slash (308)', { redirectToSlash: 308 }],
])('a service that %s is read like any other', async ([, scenario], { gate }) => {
  const run = await gate({ scenario: { ...scenario, default: { issues: THREE } } });

  expect(run.outputs).toMatchObject({ verdict: 'fail', reason: 'issues', 'issue-count': '3' });
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
