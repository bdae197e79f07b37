import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MediaFile } from '../../src/media/file.ts';
import type { LfsPointer } from '../../src/media/lfs.ts';
import {
  awaitedSubmissions,
  hashSidekicks,
  isAllReused,
  isPaidAgain,
  type Loss,
  makePlan,
  type Plan,
  type PlanRules,
  previousSubmissions,
  type SendReason,
  tooMany,
  withoutLost,
  withSource,
} from '../../src/plan/plan.ts';
import type { StateDocument } from '../../src/state/document.ts';
import { EarlierState } from '../../src/state/earlier-state.ts';
import { daysAgo, document, file, known, knownPath, open, pointer, rules, sha } from '../state/samples.ts';

interface Case {
  readonly files?: readonly MediaFile[];
  readonly pointers?: readonly LfsPointer[];
  readonly state?: Partial<StateDocument>;
  /** By the seed of a content. */
  readonly losses?: Readonly<Record<string, Loss>>;
  readonly rules?: Partial<PlanRules>;
}

function planned({ files = [], pointers = [], state = {}, losses = {}, rules: changes = {} }: Case): Plan {
  const basis = { files, pointers, earlierState: new EarlierState([document(state)]), rules: rules(changes) };
  return withoutLost(makePlan(basis), new Map(Object.entries(losses).map(([seed, loss]) => [sha(seed), loss])), basis);
}

/** The plan in short: what happens to which paths, and why. */
function inShort(plan: Plan): string[] {
  return [
    ...withSource(plan, 'submit').map(
      ({ content, source: { why, previousSubmissionId } }) =>
        `send ${content.paths.join('+')}: ${why}${previousSubmissionId ? ` after ${previousSubmissionId}` : ''}`,
    ),
    ...withSource(plan, 'reuse').map(
      ({ content, source }) => `reuse ${content.paths.join('+')} of ${source.known.submissionId}`,
    ),
    ...awaitedSubmissions(plan).map(
      ({ submissionId, contents }) => `await ${contents.flatMap(({ paths }) => paths).join()} in ${submissionId}`,
    ),
    ...plan.unknownPointers.map(({ path }) => `pre-flight ${path}`),
  ];
}

const A = file('a.png', 'A');
const FILM: MediaFile = {
  ...file('a.mp4', 'A'),
  type: { mime: 'video/mp4', extension: 'mp4', category: 'video' },
};
const SOUND: MediaFile = {
  ...file('a.m4a', 'A'),
  type: { mime: 'audio/mp4', extension: 'm4a', category: 'audio' },
};

describe('plan', () => {
  const cases: readonly (readonly [string, Case, readonly string[]])[] = [
    ['an unknown file is new', { files: [A] }, ['send a.png: new']],
    [
      'another content at a known path is its next version',
      { files: [file('a.png', 'A2')], state: { contents: [known('A')], paths: [knownPath('a.png', 'A')] } },
      ['send a.png: changed after submission-1'],
    ],
    ['the same content is reused', { files: [A], state: { contents: [known('A')] } }, ['reuse a.png of submission-1']],
    [
      'a renamed, copied or reverted content is reused',
      {
        files: [file('b.png', 'A'), file('c.png', 'A')],
        state: { contents: [known('A')], paths: [knownPath('b.png', 'B')] },
      },
      ['reuse b.png+c.png of submission-1'],
    ],
    ['two copies of a new content are sent once', { files: [A, file('b.png', 'A')] }, ['send a.png+b.png: new']],
    [
      'just young enough',
      { files: [A], state: { contents: [known('A', { analysedAt: daysAgo(89.999) })] } },
      ['reuse a.png of submission-1'],
    ],
    [
      'too old, and sent as the next version',
      { files: [A], state: { contents: [known('A', { analysedAt: daysAgo(90) })] } },
      ['send a.png: earlier result too old after submission-1'],
    ],
    [
      'reuse-days: 0 analyses again, even what was analysed this moment',
      { files: [A], state: { contents: [known('A', { analysedAt: daysAgo(0) })] }, rules: { reuseDays: 0 } },
      ['send a.png: earlier result too old after submission-1'],
    ],
    [
      'reuse-days: 0 awaits what is still open',
      {
        files: [A],
        state: { contents: [known('A')], open: [open('s', ['A'], { createdAt: daysAgo(0.5) })] },
        rules: { reuseDays: 0 },
      },
      ['await a.png in s'],
    ],
    [
      'what was sent once more since it was analysed is awaited',
      { files: [A], state: { contents: [known('A')], open: [open('s', ['A'], { createdAt: daysAgo(0.5) })] } },
      ['await a.png in s'],
    ],
    [
      'what was judged since it was sent is not open any more',
      { files: [A], state: { contents: [known('A')], open: [open('s', ['A'])] }, rules: { reuseDays: 0 } },
      ['send a.png: earlier result too old after submission-1'],
    ],
    [
      'changed sidekicks need another analysis',
      { files: [A], state: { contents: [known('A')], open: [open('s', ['A'])] }, rules: { sidekicks: 'x' } },
      ['send a.png: sidekicks changed after submission-1'],
    ],
    [
      'an analysis as audio is not reused for a film',
      { files: [FILM], state: { contents: [known('A', { name: 'a.m4a', category: 'audio' })] } },
      ['send a.mp4: media type changed after submission-1'],
    ],
    [
      'an analysis as video is reused for audio',
      { files: [SOUND], state: { contents: [known('A', { name: 'a.mp4', category: 'video' })] } },
      ['reuse a.m4a of submission-1'],
    ],
    [
      'an analysis as a film is reused for a film, although a later one is of its sound',
      {
        files: [FILM],
        state: {
          contents: [
            known('A', { name: 'a.mp4', category: 'video', analysedAt: daysAgo(9) }),
            known('A', { name: 'a.m4a', category: 'audio', submissionId: 'submission-2' }),
          ],
        },
      },
      ['reuse a.mp4 of submission-1'],
    ],
    [
      'an open submission of a film is awaited for a film, although its sound was sent and judged since',
      {
        files: [FILM],
        state: {
          contents: [known('A', { name: 'a.m4a', category: 'audio', analysedAt: daysAgo(0.1) })],
          open: [
            open('film', [], { contents: [{ sha256: sha('A'), name: 'a.mp4', category: 'video' }] }),
            open('sound', [], {
              createdAt: daysAgo(0.5),
              contents: [{ sha256: sha('A'), name: 'a.m4a', category: 'audio' }],
            }),
          ],
        },
      },
      ['await a.mp4 in film'],
    ],
    [
      'an open submission as audio is not awaited for a film',
      {
        files: [FILM],
        state: { open: [open('s', [], { contents: [{ sha256: sha('A'), name: 'a.m4a', category: 'audio' }] })] },
      },
      ['send a.mp4: new'],
    ],
    [
      'the name of a pointer decides its type',
      { pointers: [pointer('a.mp4', 'A')], state: { contents: [known('A', { name: 'a.m4a', category: 'audio' })] } },
      ['pre-flight a.mp4'],
    ],
    [
      'the name of a pointer may have no extension',
      { pointers: [pointer('a', 'A')], state: { contents: [known('A', { name: 'a.m4a', category: 'audio' })] } },
      ['reuse a of submission-1'],
    ],
    ['of copies with different names, the video is sent', { files: [SOUND, FILM] }, ['send a.m4a+a.mp4: new']],
    [
      'of copies that no analysis covers, the first is planned for all',
      { files: [A, FILM] },
      ['send a.mp4+a.png: new'],
    ],
    [
      'an analysis by other sidekicks does not end an open one',
      {
        files: [A],
        state: { contents: [known('A', { sidekicks: 'x', analysedAt: daysAgo(0) })], open: [open('s', ['A'])] },
      },
      ['await a.png in s'],
    ],
    [
      'the next version of its path, even if the content is known from elsewhere',
      {
        files: [A],
        state: {
          contents: [known('A', { sidekicks: 'x', submissionId: 'elsewhere' })],
          paths: [knownPath('a.png', 'B')],
        },
      },
      ['send a.png: sidekicks changed after submission-1'],
    ],
    [
      'the analysis of these sidekicks is found behind that of others',
      {
        files: [A],
        state: { contents: [known('A', { sidekicks: 'x', analysedAt: daysAgo(5) }), known('A')] },
        rules: { sidekicks: 'x' },
      },
      ['reuse a.png of submission-1'],
    ],
    [
      'what is gone from the service is sent again, without a link to what is gone',
      {
        files: [A, file('b.png', 'B')],
        state: { contents: [known('A')], paths: [knownPath('a.png', 'A')], open: [open('s', ['B'])] },
        losses: { A: 'no longer at the service', B: 'no longer at the service' },
      },
      ['send a.png: no longer at the service', 'send b.png: no longer at the service'],
    ],
    [
      'what is gone, with an earlier version elsewhere',
      {
        files: [A],
        state: { contents: [known('A')], paths: [knownPath('a.png', 'B', { submissionId: 'elsewhere' })] },
        losses: { A: 'earlier analysis never finished' },
      },
      ['send a.png: earlier analysis never finished after elsewhere'],
    ],
    [
      'only the contents that are lost are affected',
      {
        files: [A, file('b.png', 'B'), file('c.png', 'C')],
        state: { open: [open('s', ['A', 'B'])] },
        losses: { A: 'earlier analysis failed' },
      },
      ['send a.png: earlier analysis failed', 'send c.png: new', 'await b.png in s'],
    ],
    [
      'a pointer whose content is lost cannot be sent',
      {
        pointers: [pointer('a.png', 'A')],
        state: { contents: [known('A')] },
        losses: { A: 'no longer at the service' },
      },
      ['pre-flight a.png'],
    ],
    [
      'of several paths, the one that is known gives the earlier version',
      { files: [A, file('b.png', 'A')], state: { paths: [knownPath('b.png', 'B')] } },
      ['send a.png+b.png: changed after submission-1'],
    ],
    [
      'one of forty changed: it is sent, the others are awaited',
      {
        files: Array.from({ length: 40 }, (_, index) => file(`${index}.png`, index === 7 ? 'changed' : `${index}`)),
        state: {
          open: [
            open(
              's',
              Array.from({ length: 40 }, (_, index) => `${index}`),
            ),
          ],
        },
      },
      [
        'send 7.png: new',
        `await ${Array.from({ length: 40 }, (_, index) => index)
          .filter((index) => index !== 7)
          .map((index) => `${index}.png`)
          .join()} in s`,
      ],
    ],
    [
      'sent twice, the later submission is awaited',
      {
        files: [A],
        state: {
          open: [open('late', ['A'], { createdAt: daysAgo(1) }), open('early', ['A'], { createdAt: daysAgo(2) })],
        },
      },
      ['await a.png in late'],
    ],
    [
      'a pointer of a known content is reused',
      { pointers: [pointer('a.png', 'A')], state: { contents: [known('A')] } },
      ['reuse a.png of submission-1'],
    ],
    [
      'a pointer of an open content is awaited',
      { pointers: [pointer('a.png', 'A')], state: { open: [open('s', ['A'])] } },
      ['await a.png in s'],
    ],
    ['a pointer of an unknown content cannot be sent', { pointers: [pointer('a.png', 'A')] }, ['pre-flight a.png']],
    [
      'a pointer beside the file itself is one content',
      { files: [A], pointers: [pointer('b.png', 'A')] },
      ['send a.png+b.png: new'],
    ],
  ];
  it.each(cases)('%s', (_, given, expected) => {
    expect(inShort(planned(given))).toEqual(expected);
  });

  it('awaits and reuses under the name that the service knows, with the size of a file or a pointer', () => {
    const { contents } = planned({
      files: [A, file('b.png', 'B')],
      pointers: [{ ...pointer('a-too.png', 'A'), size: 99 }, pointer('p.png', 'P')],
      state: { contents: [known('A'), known('P')], open: [open('s', ['B'])] },
    });
    expect(contents.map(({ content: { size, name } }) => `${size} ${name}`)).toEqual([
      '10 A.png',
      '10 B.png',
      '10 P.png',
    ]);
  });

  it('of two submissions of the same time, awaits the first one in the state', () => {
    const opens = [open('first', ['A']), open('second', ['A'])];
    expect(inShort(planned({ files: [A], state: { open: opens } }))).toEqual(['await a.png in first']);
  });

  it('sends the video copy with its real type', () => {
    const [entry] = withSource(planned({ files: [SOUND, FILM] }), 'submit');
    expect(entry?.content.file?.path).toBe('a.mp4');
    expect(entry?.content.name).toMatch(/\.mp4$/);
  });

  // biome-ignore format: a table
  it.each<[string, Case, boolean]>([
    ['everything was analysed', { state: { contents: [known('A'), known('P')] } },                                     true],
    ['a file has to be sent',   { state: { contents: [known('P')] } },                                                 false],
    ['a pointer is unknown',    { state: { contents: [known('A')] } },                                                 false],
    ['a file is still open',    { state: { contents: [known('P')], open: [open('s', ['A'])] } },                       false],
  ])('no other state need be looked for if %s: %s', (_, options, expected) => {
    expect(isAllReused(planned({ files: [A], pointers: [pointer('p.png', 'P')], ...options }))).toBe(expected);
  });

  it('gives every content exactly one source, whatever is known', () => {
    const seed = fc.constantFrom('A', 'B', 'C', 'D');
    const age = fc.integer({ min: 0, max: 120 });
    const sidekicks = fc.constantFrom('', 'x');
    const id = fc.constantFrom('s1', 's2', 's3');
    const arbitrary = fc.record({
      files: fc.uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), seed), { selector: ([path]) => path }),
      pointers: fc.uniqueArray(fc.tuple(fc.constantFrom('p', 'q'), seed), { selector: ([path]) => path }),
      contents: fc.array(fc.record({ seed, age, sidekicks, id })),
      opens: fc.array(fc.record({ id, seeds: fc.array(seed), age, sidekicks })),
      lost: fc.array(seed),
      reuseDays: fc.constantFrom(0, 30, 90),
      mode: sidekicks,
    });
    fc.assert(
      fc.property(arbitrary, ({ files, pointers, contents, opens, lost, reuseDays, mode }) => {
        const made = planned({
          files: files.map(([path, bytes]) => file(path, bytes)),
          pointers: pointers.map(([path, bytes]) => pointer(path, bytes)),
          state: {
            contents: contents.map((each) =>
              known(each.seed, { analysedAt: daysAgo(each.age), sidekicks: each.sidekicks, submissionId: each.id }),
            ),
            open: opens.map((each) =>
              open(each.id, each.seeds, { createdAt: daysAgo(each.age), sidekicks: each.sidekicks }),
            ),
          },
          losses: Object.fromEntries(lost.map((bytes) => [bytes, 'earlier analysis failed'])),
          rules: { reuseDays, sidekicks: mode },
        });
        const paths = made.contents.flatMap(({ content }) => content.paths);
        expect([...paths, ...made.unknownPointers.map(({ path }) => path)].toSorted()).toEqual(
          [...files, ...pointers].map(([path]) => path).toSorted(),
        );
        expect(new Set(made.contents.map(({ content }) => content.sha256)).size).toBe(made.contents.length);
        // Nothing that is lost is used, nor an analysis by other sidekicks.
        for (const { content, source } of made.contents) {
          if (source.kind !== 'submit') expect(lost.map(sha)).not.toContain(content.sha256);
          if (source.kind === 'reuse') expect(source.known.sidekicks).toBe(mode);
        }
      }),
    );
  });
});

describe('hashSidekicks', () => {
  it('is the same for the same sidekicks in any order, and another for others', () => {
    expect(hashSidekicks(['b', 'a'])).toBe(hashSidekicks(['a', 'b']));
    expect(new Set([undefined, [], ['a'], ['b'], ['a', 'b']].map(hashSidekicks)).size).toBe(5);
  });

  it('has the format of earlier states, which stay usable', () => {
    expect(hashSidekicks(undefined)).toBe('');
    expect(hashSidekicks(['b', 'a'])).toBe(sha('a,b').slice(0, 16));
  });
});

describe('isPaidAgain', () => {
  it.each<[SendReason, boolean]>([
    ['new', false],
    ['changed', false],
    ['sidekicks changed', false],
    ['media type changed', false],
    ['earlier result too old', true],
    ['no longer at the service', true],
    ['earlier analysis failed', true],
    ['earlier analysis never finished', true],
  ])('%s: %s', (reason, expected) => {
    expect(isPaidAgain(reason)).toBe(expected);
  });
});

describe('previousSubmissions', () => {
  it('are listed for the contents that have one', () => {
    const plan = planned({ files: [A, file('b.png', 'B')], state: { paths: [knownPath('a.png', 'X')] } });
    expect([...previousSubmissions(plan)]).toEqual([[sha('A'), 'submission-1']]);
  });
});

describe('the version group that is expected', () => {
  const other = known('A', { sidekicks: 'x', submissionId: 'elsewhere', versionGroupId: 'of the content' });
  const before = known('B', { versionGroupId: 'of the path' });
  const paths = [knownPath('a.png', 'B')];

  it.each<[string, Case, string | undefined]>([
    ['that of the path', { state: { contents: [other, before], paths } }, 'of the path'],
    ['that of the content, if it was renamed', { state: { contents: [other] } }, 'of the content'],
    [
      'none, if the earlier version is gone',
      {
        state: { contents: [known('A', { versionGroupId: 'gone' }), before], paths },
        losses: { A: 'no longer at the service' },
      },
      undefined,
    ],
  ])('%s', (_, options, expected) => {
    expect(planned({ files: [A], ...options }).contents).toMatchObject([{ source: { previousGroupId: expected } }]);
  });
});

describe('tooMany', () => {
  const made = planned({ files: [A, file('b.png', 'B'), file('c.png', 'A')], state: { contents: [known('B')] } });
  it('counts what would be sent', () => {
    expect(tooMany(made, 1)).toEqual([]);
    expect(tooMany(planned({ files: [A, file('b.png', 'B')] }), 1)).toEqual([
      {
        reason: 'pre-flight',
        message: '2 files would be sent, but `max-files` allows only 1. Nothing was sent.',
        fix: expect.stringContaining('raise `max-files`'),
      },
    ]);
  });
});
