import { expect } from 'vitest';
import { DEFAULT_PATTERNS, typeOfName } from '../../src/media/media-types.ts';
import { contentTypes, zip } from '../media/bytes.ts';
import { it, list, text } from './caller.ts';

const SIDEKICK = '11111111-1111-4111-8111-111111111111';
const OTHER = '00000000-0000-4000-8000-000000000000';
const SLIDES = 'application/vnd.openxmlformats-officedocument.presentationml';

it.for([
  ['a PDF after other bytes', 'late.pdf', Buffer.from('junk\n%PDF-1.7\n'), 'application/pdf'],
  ['a text that begins like music', 'music.csv', Buffer.from('ID3,title\n1,2\n'), 'text/csv'],
  ['music without a signature', 'raw.mp3', Buffer.from([1, 2, 3, 4]), 'audio/mpeg'],
  ['a second brand', 'second.avif', Buffer.from('\0\0\0\x18ftypmif1\0\0\0\0mif1avif', 'latin1'), 'image/avif'],
  [
    'a slide show',
    'a.pptx',
    zip({ '[Content_Types].xml': contentTypes(`${SLIDES}.slideshow`) }),
    `${SLIDES}.presentation`,
  ],
] as const)('a submission accepts %s: %s', async ([, filename, bytes, type], { setUp }) => {
  const { caller } = setUp();
  const blobPath = await caller.upload(filename, bytes, type);
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
  const second = text((await caller.post('/submissions', { assets })).json['submissionId']);
  const { status, json } = await caller.get(`/submissions/${second}/versions`);
  expect([status, list(json['versions']).map(({ submissionId }) => submissionId)]).toEqual([200, [first, second]]);
});
