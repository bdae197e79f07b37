import { describe, expect, it } from 'vitest';
import type { MediaFile } from '../../src/media/file.ts';
import type { LfsPointer } from '../../src/media/lfs.ts';
import {
  hashSidekicks,
  isAllReused,
  isPaidAgain,
  type Loss,
  lostIn,
  makePlan,
  openSubmissions,
  type Plan,
  type PlanRules,
  previousSubmissions,
  type SendReason,
  tooMany,
  withSource,
} from '../../src/plan/plan.ts';
import type { StateDocument } from '../../src/state/document.ts';
import { analysisId, EarlierState } from '../../src/state/earlier-state.ts';
import { file, pointer, sha } from '../builders/media.ts';
import { daysAgo, document, known, knownPath, open, rules } from '../builders/states.ts';

interface Case {
  readonly files?: readonly MediaFile[];
  readonly pointers?: readonly LfsPointer[];
  readonly state?: Partial<StateDocument>;
  /** By the seed of a content and a submission: `A s`. */
  readonly checks?: Readonly<Record<string, Loss | 'complete' | 'open'>>;
  readonly rules?: Partial<PlanRules>;
}

function planned({ files = [], pointers = [], state = {}, checks = {}, rules: changes = {} }: Case): Plan {
  const basis = { files, pointers, earlierState: new EarlierState([document(state)]), rules: rules(changes) };
  const found = Object.entries(checks).map(([key, check]) => {
    const [seed = '', submissionId = ''] = key.split(' ');
    return [analysisId({ sha256: sha(seed), submissionId }), check] as const;
  });
  return makePlan(basis, new Map(found));
}

/** The plan in short: what happens to which paths, and why. */
function inShort(plan: Plan): string[] {
  const planned = plan.contents.map(({ content, source }) => {
    const paths = content.paths.join('+');
    if (source.kind === 'await') return `await ${paths} in ${source.sent.submissionId}`;
    if (source.kind === 'reuse') return `reuse ${paths} of ${source.sent.submissionId}`;
    return `send ${paths}: ${source.why}${source.previousSubmissionId ? ` after ${source.previousSubmissionId}` : ''}`;
  });
  return [...planned, ...plan.unknownPointers.map(({ path }) => `pre-flight ${path}`)];
}

const A = file('a.png', 'A');
const B = file('b.png', 'B');
const FILM: MediaFile = {
  ...file('a.mp4', 'A'),
  type: { mime: 'video/mp4', extension: 'mp4', category: 'video', family: 'iso' },
};
const SOUND: MediaFile = {
  ...file('a.m4a', 'A'),
  type: { mime: 'audio/mp4', extension: 'm4a', category: 'audio', family: 'iso' },
};
const CAMERA: MediaFile = {
  ...file('a.tif', 'A'),
  type: { mime: 'image/x-dng', extension: 'dng', category: 'image', family: 'tiff' },
};
const OTHER: MediaFile = {
  ...file('a.xyz', 'A'),
  type: { mime: 'x/y', extension: 'xyz', category: undefined, family: 'xyz' },
};
const AS_FILM = { name: 'a.mp4', category: 'video' } as const;
const AS_SOUND = { name: 'a.m4a', category: 'audio' } as const;
const [POINTER, OPEN] = [pointer('a.png', 'A'), open('s', ['A'])];
const SENT_AGAIN = open('s', ['A'], { sentAt: daysAgo(0.5) });
const LOST: Loss = 'no longer at the service';
const FAILED: Loss = 'earlier analysis failed';

describe('plan', () => {
  // biome-ignore format: a table
  it.each<[string, Case, readonly string[]]>([
    ['an unknown file',                         { files: [A] },                                                                                     ['send a.png: new']],
    ['two copies of a new content',             { files: [A, file('b.png', 'A')] },                                                                 ['send a.png+b.png: new']],
    ['another content at a known path',         { files: [file('a.png', 'A2')], state: { contents: [known('A')], paths: [knownPath('a.png', 'A')] } }, ['send a.png: changed after submission-1']],
    ['changed, and analysed elsewhere since',   { files: [A], state: { contents: [known('B', { submissionId: 'elsewhere' })], paths: [knownPath('a.png', 'B')] } }, ['send a.png: changed after submission-1']],
    ['another content at one of its paths',     { files: [A, file('b.png', 'A')], state: { paths: [knownPath('b.png', 'B')] } },                    ['send a.png+b.png: changed after submission-1']],
    ['another content at both of its paths',    { files: [A, file('b.png', 'A')], state: { paths: [knownPath('b.png', 'B', { submissionId: 'of b' }), knownPath('a.png', 'C')] } }, ['send a.png+b.png: changed after submission-1']],
    ['the same content',                        { files: [A], state: { contents: [known('A')] } },                                                  ['reuse a.png of submission-1']],
    ['renamed, copied or reverted',             { files: [file('b.png', 'A'), file('c.png', 'A')], state: { contents: [known('A')], paths: [knownPath('b.png', 'B')] } }, ['reuse b.png+c.png of submission-1']],
    ['just young enough',                       { files: [A], state: { contents: [known('A', { analysedAt: daysAgo(89.999) })] } },                 ['reuse a.png of submission-1']],
    ['too old',                                 { files: [A], state: { contents: [known('A', { analysedAt: daysAgo(90) })] } },                     ['send a.png: earlier result too old after submission-1']],
    ['reuse-days: 0, analysed this moment',     { files: [A], state: { contents: [known('A', { analysedAt: daysAgo(0) })] }, rules: { reuseDays: 0 } }, ['send a.png: earlier result too old after submission-1']],
    ['reuse-days: 0, analysed by a fast clock', { files: [A], state: { contents: [known('A', { analysedAt: daysAgo(-1) })] }, rules: { reuseDays: 0 } }, ['send a.png: earlier result too old after submission-1']],
    ['reuse-days: 0, and still open',           { files: [A], state: { contents: [known('A'), ...SENT_AGAIN] }, rules: { reuseDays: 0 } },     ['await a.png in s']],
    ['sent again since it was analysed',        { files: [A], state: { contents: [known('A'), ...SENT_AGAIN] } },                              ['reuse a.png of submission-1']],
    ['the same, and still open',                { files: [A], state: { contents: [known('A'), ...SENT_AGAIN] }, checks: { 'A s': 'open' } },   ['reuse a.png of submission-1']],
    ['the same, and complete',                  { files: [A], state: { contents: [known('A'), ...SENT_AGAIN] }, checks: { 'A s': 'complete' } }, ['await a.png in s']],
    ['the same, and failed',                    { files: [A], state: { contents: [known('A'), ...SENT_AGAIN] }, checks: { 'A s': FAILED } },   ['reuse a.png of submission-1']],
    ['the same, and both are lost',             { files: [A], state: { contents: [known('A'), ...SENT_AGAIN] }, checks: { 'A s': FAILED, 'A submission-1': LOST } }, [`send a.png: ${FAILED}`]],
    ['sent again, and the earlier one is lost', { files: [A], state: { contents: [known('A'), ...SENT_AGAIN] }, checks: { 'A s': 'open', 'A submission-1': LOST } }, ['await a.png in s']],
    ['analysed twice',                          { files: [A], state: { contents: [known('A', { submissionId: 'older', analysedAt: daysAgo(2) }), known('A')] } }, ['reuse a.png of submission-1']],
    ['analysed twice, and the newer is lost',   { files: [A], state: { contents: [known('A', { submissionId: 'older', analysedAt: daysAgo(2) }), known('A')] }, checks: { 'A submission-1': LOST } }, ['reuse a.png of older']],
    ['the same, but too old',                   { files: [A], state: { contents: [known('A', { submissionId: 'older', analysedAt: daysAgo(90) }), known('A')] }, checks: { 'A submission-1': LOST } }, [`send a.png: ${LOST}`]],
    ['judged since it was sent',                { files: [A], state: { contents: [known('A'), ...OPEN] } },                                    ['reuse a.png of submission-1']],
    ['judged by other sidekicks since then',    { files: [A], state: { contents: [known('A', { sidekicks: 'x', analysedAt: daysAgo(0) }), ...OPEN] } }, ['await a.png in s']],
    ['sent twice',                              { files: [A], state: { contents: [...open('late', ['A'], { sentAt: daysAgo(1) }), ...open('early', ['A'], { sentAt: daysAgo(2) })] } }, ['await a.png in late']],
    ['sent twice, and the earlier is complete', { files: [A], state: { contents: [...open('late', ['A'], { sentAt: daysAgo(1) }), ...open('early', ['A'], { sentAt: daysAgo(2) })] }, checks: { 'A late': 'open', 'A early': 'complete' } }, ['await a.png in early']],
    ['one of an open submission changed',       { files: [A, file('b.png', 'B2')], state: { contents: open('s', ['A', 'B']) } },                      ['await a.png in s', 'send b.png: new']],
    ['other sidekicks',                         { files: [A], state: { contents: [known('A'), ...SENT_AGAIN] }, rules: { sidekicks: 'x' } },   ['send a.png: sidekicks changed after submission-1']],
    ['other sidekicks, another earlier version', { files: [A], state: { contents: [known('A', { sidekicks: 'x', submissionId: 'elsewhere' })], paths: [knownPath('a.png', 'B')] } }, ['send a.png: sidekicks changed after submission-1']],
    ['the same sidekicks, behind others',       { files: [A], state: { contents: [known('A', { submissionId: 's', sidekicks: 'x', analysedAt: daysAgo(5) }), known('A')] }, rules: { sidekicks: 'x' } }, ['reuse a.png of s']],
    ['a film, analysed as audio',               { files: [FILM], state: { contents: [known('A', AS_SOUND)] } },                                     ['send a.mp4: media type changed after submission-1']],
    ['a film, analysed as audio and too old',   { files: [FILM], state: { contents: [known('A', { ...AS_SOUND, analysedAt: daysAgo(90) })] } },     ['send a.mp4: media type changed after submission-1']],
    ['a film, open as audio',                   { files: [FILM], state: { contents: open('s', ['A'], AS_SOUND) } }, ['send a.mp4: new']],
    ['a film, later analysed as audio',         { files: [FILM], state: { contents: [known('A', { ...AS_FILM, analysedAt: daysAgo(9) }), known('A', { ...AS_SOUND, submissionId: 'later' })] } }, ['reuse a.mp4 of submission-1']],
    ['a film, open, later judged as audio',     { files: [FILM], state: { contents: [known('A', { ...AS_SOUND, analysedAt: daysAgo(0.1) }), ...open('film', ['A'], AS_FILM), ...open('sound', ['A'], { sentAt: daysAgo(0.5), ...AS_SOUND })] } }, ['await a.mp4 in film']],
    ['a film, too old, and as audio since',     { files: [FILM], state: { contents: [known('A', { ...AS_FILM, analysedAt: daysAgo(90) }), known('A', { ...AS_SOUND, submissionId: 'later' })] } }, ['send a.mp4: earlier result too old after later']],
    ['audio, analysed as a film',               { files: [SOUND], state: { contents: [known('A', AS_FILM)] } },         ['reuse a.m4a of submission-1']],
    ['a camera’s TIFF, detected as another type', { files: [CAMERA], state: { contents: [known('A', { name: 'a.dng', category: 'image' })] } }, ['reuse a.tif of submission-1']],
    ['of a type that is in no category',        { files: [OTHER], state: { contents: [known('A', { name: 'a.xyz', category: 'document' })] } }, ['reuse a.xyz of submission-1']],
    ['the same, and too old',                   { files: [OTHER], state: { contents: [known('A', { name: 'a.xyz', category: 'document', analysedAt: daysAgo(90) })] } }, ['send a.xyz: earlier result too old after submission-1']],
    ['copies that no analysis covers',          { files: [A, FILM] },                                                                               ['send a.mp4+a.png: new']],
    ['a pointer to an unknown content',         { pointers: [POINTER] },                                                                            ['pre-flight a.png']],
    ['two pointers to an unknown content',      { pointers: [POINTER, pointer('b.png', 'A')] },                                                     ['pre-flight a.png', 'pre-flight b.png']],
    ['a pointer to a known content',            { pointers: [POINTER], state: { contents: [known('A')] } },                                         ['reuse a.png of submission-1']],
    ['a pointer to an open content',            { pointers: [POINTER], state: { contents: OPEN } },                                                   ['await a.png in s']],
    ['a pointer beside the file itself',        { files: [A], pointers: [pointer('b.png', 'A')] },                                                  ['send a.png+b.png: new']],
    ['a pointer to a film, analysed as audio',  { pointers: [pointer('a.mp4', 'A')], state: { contents: [known('A', AS_SOUND)] } },                 ['pre-flight a.mp4']],
    ['a pointer without an extension',          { pointers: [pointer('a', 'A')], state: { contents: [known('A', AS_SOUND)] } },                     ['reuse a of submission-1']],
    ['lost, with all that it could be linked to', { files: [A, B], state: { contents: [known('A'), ...open('s', ['B'])], paths: [knownPath('a.png', 'A')] }, checks: { 'A submission-1': LOST, 'B s': LOST } }, [`send a.png: ${LOST}`, `send b.png: ${LOST}`]],
    ['lost, with an earlier version elsewhere', { files: [A], state: { contents: [known('A')], paths: [knownPath('a.png', 'B', { submissionId: 'elsewhere' })] }, checks: { 'A submission-1': LOST } }, [`send a.png: ${LOST} after elsewhere`]],
    ['changed, and its submission is gone',     { files: [A, B], state: { contents: [known('A')], paths: [knownPath('b.png', 'P')] }, checks: { 'A submission-1': LOST } }, [`send a.png: ${LOST}`, 'send b.png: changed']],
    ['lost, unlike others',                     { files: [A, B], state: { contents: open('s', ['A', 'B']) }, checks: { 'A s': FAILED } },                 [`send a.png: ${FAILED}`, 'await b.png in s']],
    ['lost, and only a pointer',                { pointers: [POINTER], state: { contents: [known('A')] }, checks: { 'A submission-1': LOST } },                    ['pre-flight a.png']],
  ])('%s', (_, given, expected) => {
    expect(inShort(planned(given))).toEqual(expected);
  });

  it('asks about every submission that is newer than what is reused', () => {
    const sent = [5, 0.1, 0.5].flatMap((days) => open(`${days}`, ['A'], { sentAt: daysAgo(days) }));
    const plan = planned({ files: [A], state: { contents: [known('A'), ...sent] } });
    expect(plan.open.map(({ source }) => source.sent.submissionId)).toEqual(['0.1', '0.5']);
  });

  it('awaits and reuses under the name and category that the service knows, with the size of a file or a pointer', () => {
    const { contents } = planned({
      files: [A, file('b.png', 'B'), { ...file('s.m4a', 'S'), type: SOUND.type }],
      pointers: [{ ...pointer('a-too.png', 'A'), size: 99 }, pointer('p.png', 'P')],
      state: { contents: [known('A'), known('P'), ...open('s', ['B']), known('S', AS_FILM)] },
    });
    const named = contents.map(({ content: { size, category, name } }) => `${size} ${category} ${name}`);
    expect(named).toEqual(['10 image A.png', '10 image B.png', '10 video a.mp4', '10 image P.png']);
  });

  it('awaits the contents of a submission together', () => {
    const plan = planned({ files: [A, B], state: { contents: open('s', ['A', 'B']) } });
    const contents = [{ paths: ['a.png'] }, { paths: ['b.png'] }];
    const expected = [{ submissionId: 's', createdAt: daysAgo(1), contents }];
    expect(openSubmissions(withSource(plan, 'await'))).toMatchObject(expected);
  });

  it('sends the video copy with its own name and real type', () => {
    const [entry] = withSource(planned({ files: [SOUND, { ...FILM, path: 'film.mov' }] }), 'submit');
    expect(entry?.content.file?.path).toBe('film.mov');
    expect(entry?.content.name).toMatch(/^film-.*\.mp4$/);
  });

  // biome-ignore format: a table
  it.each<[string, Case, boolean]>([
    ['everything was analysed', { state: { contents: [known('A'), known('P')] } },                                     true],
    ['a file has to be sent',   { state: { contents: [known('P')] } },                                                 false],
    ['a pointer is unknown',    { state: { contents: [known('A')] } },                                                 false],
    ['a file is still open',    { state: { contents: [known('P'), ...open('s', ['A'])] } },                       false],
    ['a newer one is open',     { state: { contents: [known('A'), known('P'), ...SENT_AGAIN] } },                      true],
  ])('no other state need be looked for if %s: %s', (_, options, expected) => {
    expect(isAllReused(planned({ files: [A], pointers: [pointer('p.png', 'P')], ...options }))).toBe(expected);
  });
});

it('a hash of sidekicks has the format of earlier states, in any order', () => {
  expect(hashSidekicks(undefined)).toBe('');
  expect(hashSidekicks(['b', 'a'])).toBe(sha('a,b').slice(0, 16));
  expect(new Set([undefined, [], ['a'], ['b'], ['a', 'b']].map(hashSidekicks)).size).toBe(5);
});

it('what is still open is not lost', () => {
  const checks = new Map([
    ['a', 'open'],
    ['b', 'complete'],
    ['c', LOST],
  ] as const);
  expect([...lostIn(checks)]).toEqual(['c']);
});

it('what was analysed before and is analysed again counts as paid twice', () => {
  const reasons: SendReason[] = ['new', 'changed', 'sidekicks changed', 'media type changed', 'earlier result too old'];
  const losses: SendReason[] = [LOST, FAILED, 'earlier analysis never finished'];
  expect([...reasons, ...losses].filter(isPaidAgain)).toEqual(['earlier result too old', ...losses]);
});

describe('the earlier version', () => {
  const other = known('A', { sidekicks: 'x', submissionId: 'elsewhere', versionGroupId: 'of the content' });
  const before = known('B', { versionGroupId: 'of the path' });
  const paths = [knownPath('a.png', 'B')];

  it.each<[string, Case, string | undefined]>([
    ['is that of the path', { state: { contents: [other, before], paths } }, 'of the path'],
    ['is that of the content, if it was renamed', { state: { contents: [other] } }, 'of the content'],
    [
      'is none, if it is gone',
      { state: { contents: [known('A'), before], paths }, checks: { 'A submission-1': LOST } },
      undefined,
    ],
  ])('%s', (_, options, expected) => {
    expect(planned({ files: [A], ...options }).contents).toMatchObject([{ source: { previousGroupId: expected } }]);
  });

  it('is listed for the contents that have one', () => {
    const plan = planned({ files: [A, B], state: { paths: [knownPath('a.png', 'X')] } });
    expect([...previousSubmissions(plan)]).toEqual([[sha('A'), 'submission-1']]);
  });
});

it('max-files counts what would be sent', () => {
  const files = [A, B, file('c.png', 'A')];
  expect(tooMany(planned({ files, state: { contents: [known('B')] } }), 1)).toEqual([]);
  expect(tooMany(planned({ files }), 1)).toMatchObject([
    { reason: 'pre-flight', message: expect.stringContaining('2 files would be sent') },
  ]);
});
