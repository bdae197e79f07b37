import { expect } from 'vitest';
import { DEFAULT_PATTERNS, typeOfName } from '../../src/media/media-types.ts';
import { it } from './caller.ts';

const SIDEKICK = '11111111-1111-4111-8111-111111111111';
const OTHER = '00000000-0000-4000-8000-000000000000';

it.for([
  ['a PDF after other bytes', 'late.pdf', 'junk\n%PDF-1.7\n', 'application/pdf'],
  ['a text that begins like music', 'music.csv', 'ID3,title\n1,2\n', 'text/csv'],
  ['music without a signature', 'raw.mp3', '\u0001\u0002\u0003', 'audio/mpeg'],
] as const)('a submission accepts %s', async ([, filename, bytes, type], { setUp }) => {
  const { caller } = setUp();
  const blobPath = await caller.upload(filename, Buffer.from(bytes), type);
  expect(await caller.post('/submissions', { assets: [{ blobPath }] })).toMatchObject({ status: 201 });
});

it('an upload accepts the type of every default pattern', async ({ setUp }) => {
  const { caller } = setUp();
  for (const pattern of DEFAULT_PATTERNS) {
    const { mime = '', extension = '' } = typeOfName(pattern) ?? {};
    const { status } = await caller.post('/uploads/url', { filename: `a.${extension}`, contentType: mime });
    expect([mime, status]).toEqual([mime, 200]);
  }
});

it('a submission runs the sidekicks it is given, or all', async ({ setUp }) => {
  const [any, chosen] = [{ ruleCode: 'ANY' }, { ruleCode: 'CHOSEN', sidekickId: SIDEKICK }];
  const issues = [any, chosen, { ruleCode: 'OTHER', sidekickId: OTHER }];
  const { workspace, caller } = setUp({ scenario: { default: { issues } } });
  const assets = [{ blobPath: await caller.upload('a.png') }];
  for (const fields of [{}, { sidekickIds: [SIDEKICK] }, { sidekickIds: [] }])
    await caller.post('/submissions', { assets, ...fields });
  const found = workspace.submissions.map(({ assets: [asset] }) => asset?.issues.map((it) => it.ruleCode));
  expect(found).toEqual([['ANY', 'CHOSEN', 'OTHER'], ['ANY', 'CHOSEN'], []]);
});

it('versions are listed oldest first, without those of other files', async ({ setUp }) => {
  const { caller } = setUp();
  const first = (await caller.submit('a.png', 'other.png')).submissionId;
  const assets = [{ blobPath: await caller.upload('a.png'), previousSubmissionId: first }];
  const second = (await caller.post('/submissions', { assets })).json.submissionId;
  const { json } = await caller.get(`/submissions/${second}/versions`);
  expect(json.versions.map(({ submissionId }) => submissionId)).toEqual([first, second]);
});
