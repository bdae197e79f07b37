import { describe, expect } from 'vitest';
import type { Scenario } from '../../emulator/emulator.ts';
import { typeOfName } from '../../src/media/media-types.ts';
import { DEFAULT_PATTERNS } from '../../src/media/patterns.ts';
import { ADTS, contentTypes, zip } from '../media/bytes.ts';
import { it, list, text } from './caller.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';
const SLIDES = 'application/vnd.openxmlformats-officedocument.presentationml';
const MACROS = 'application/vnd.ms-powerpoint.presentation.macroEnabled';
const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const LONG_TAG = Buffer.concat([Buffer.from('ID3\x03\0\0\0\x06\0\0', 'latin1'), Buffer.alloc(6 * 128 ** 2)]);
const SIDEKICK = '11111111-1111-4111-8111-111111111111';

describe('creating a submission', () => {
  it('returns identifiers, a channel under an undocumented name, and submitted', async ({ setUp }) => {
    const { workspace, caller } = setUp();
    const assets = [{ blobPath: await caller.upload('a.png') }, { blobPath: await caller.upload('b.png') }];
    const { status, json } = await caller.post('/submissions', { assets, metadata: { commit: 'abc' } });
    expect(status).toBe(201);
    expect(Object.keys(json).toSorted()).toEqual(['assets', 'liveChannel', 'status', 'submissionId', 'workflowId']);
    expect(json['status']).toBe('submitted');
    expect(list(json['assets']).map((asset) => asset['versionNumber'])).toEqual([1, 1]);
    expect(workspace.submissions).toMatchObject([
      { submissionId: json['submissionId'], metadata: { commit: 'abc' }, creditsSpent: 2, sidekickIds: undefined },
    ]);
    expect(workspace.requests.at(-1)).toMatchObject({ endpoint: 'submissions/create', json: { assets } });
  });

  it.for([
    ['late.pdf', Buffer.from('junk\n%PDF-1.7\n'), 'application/pdf'],
    ['rich.rtf', Buffer.from(' {\\rtf1 x}'), 'application/rtf'],
    ['music.csv', Buffer.from('ID3,title\n1,2\n'), 'text/csv'],
    ['raw.mp3', Buffer.from([1, 2, 3, 4]), 'audio/mpeg'],
    ['second-brand.avif', Buffer.from('\0\0\0\x18ftypmif1\0\0\0\0mif1avif', 'latin1'), 'image/avif'],
    ['tagged.aac', Buffer.concat([LONG_TAG, ADTS]), 'audio/aac'],
    ['slideshow.pptx', zip({ '[Content_Types].xml': contentTypes(`${SLIDES}.slideshow`) }), `${SLIDES}.presentation`],
    ['macros.pptx', zip({ '[Content_Types].xml': contentTypes(MACROS) }), `${SLIDES}.presentation`],
    ['late.docx', zip({ 'word/a.bin': 'x'.repeat(100_000), '[Content_Types].xml': contentTypes(WORD) }), WORD],
  ] as const)('looks as deep as it must: accepts %s', async ([filename, bytes, type], { setUp }) => {
    const { caller } = setUp();
    const blobPath = await caller.upload(filename, bytes, type);
    expect(await caller.post('/submissions', { assets: [{ blobPath }] })).toMatchObject({ status: 201 });
  });

  it('accepts the type of every default pattern', async ({ setUp }) => {
    const { caller } = setUp();
    for (const pattern of DEFAULT_PATTERNS) {
      const { mime = '', extension = '' } = typeOfName(pattern) ?? {};
      const { status } = await caller.post('/uploads/url', { filename: `a.${extension}`, contentType: mime });
      expect([mime, status]).toEqual([mime, 200]);
    }
  });

  it('runs the sidekicks it is given, or all, or none by default', async ({ setUp }) => {
    const [any, chosen] = [{ ruleCode: 'ANY' }, { ruleCode: 'CHOSEN', sidekickId: SIDEKICK }];
    const issues = [any, chosen, { ruleCode: 'OTHER', sidekickId: NOBODY }];
    const { workspace, caller } = setUp({ scenario: { default: { issues } } });
    const assets = [{ blobPath: await caller.upload('a.png') }];
    for (const fields of [{}, { sidekickIds: [SIDEKICK] }, { sidekickIds: [] }])
      await caller.post('/submissions', { assets, ...fields });
    workspace.load({ default: { issues }, defaultSidekicks: 'none' });
    await caller.post('/submissions', { assets });
    const found = workspace.submissions.map(({ assets: [asset] }) => asset?.issues.map((it) => it.ruleCode));
    expect(found).toEqual([['ANY', 'CHOSEN', 'OTHER'], ['ANY', 'CHOSEN'], [], []]);
  });
});

describe('an earlier version', () => {
  const earlier = `hero-${'a'.repeat(32)}.png`;
  const changed = `hero-${'b'.repeat(32)}.png`;

  it.for([
    { linkVersions: 'filename', filename: changed, outcome: 2 },
    { linkVersions: 'exact-filename', filename: earlier, outcome: 2 },
    { linkVersions: 'exact-filename', filename: changed, outcome: 1 },
    { linkVersions: 'never', filename: earlier, outcome: 1 },
    { linkVersions: 'not-found', filename: earlier, outcome: 404 },
    { linkVersions: 'refused', filename: earlier, outcome: 422 },
  ] as const)('of $filename with $linkVersions: $outcome', async ({ linkVersions, filename, outcome }, { setUp }) => {
    const { caller } = setUp({ scenario: { linkVersions } });
    const { submissionId: previousSubmissionId } = await caller.submit(earlier, 'other.png');
    const assets = [{ blobPath: await caller.upload(filename), previousSubmissionId }];
    const { status, json } = await caller.post('/submissions', { assets });
    expect(status === 201 ? list(json['assets'])[0]?.['versionNumber'] : status).toBe(outcome);
  });
});

it.for<[Scenario, unknown, Record<string, unknown>]>([
  [{}, { assets: [{}] }, { type: 'missing', loc: ['body', 'assets', 0, 'blobPath'], msg: 'Field required' }],
  [{}, { assets: 'a.png' }, { type: 'list_type', loc: ['body', 'assets'] }],
  [{}, { assets: [{ blobPath: 'a', x: 1 }] }, { type: 'extra_forbidden', loc: ['body', 'assets', 0, 'x'] }],
  [{ maxAssets: 0 }, { assets: [{ blobPath: 'a' }] }, { type: 'too_long', loc: ['body', 'assets'] }],
])('words validation errors as FastAPI does: %#', async ([scenario, body, error], { setUp }) => {
  const { caller } = setUp({ scenario: { ...scenario, validationErrors: 'fastapi' } });
  const { status, json } = await caller.post('/submissions', body);
  expect([status, json]).toEqual([422, { detail: [expect.objectContaining(error)] }]);
});

it('versions are listed oldest first, without those of other files', async ({ setUp }) => {
  const { caller } = setUp();
  const first = (await caller.submit('a.png', 'other.png')).submissionId;
  const assets = [{ blobPath: await caller.upload('a.png'), previousSubmissionId: first }];
  const second = text((await caller.post('/submissions', { assets })).json['submissionId']);
  const { status, json } = await caller.get(`/submissions/${second}/versions`);
  expect([status, list(json['versions']).map(({ submissionId }) => submissionId)]).toEqual([200, [first, second]]);
});
