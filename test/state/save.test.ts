import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Log } from '../../src/lib/log.ts';
import type { Content } from '../../src/media/content.ts';
import { makePlan } from '../../src/plan/plan.ts';
import type { Issue } from '../../src/service/issue.ts';
import { NO_STORE } from '../../src/state/choose-store.ts';
import type { StateDocument } from '../../src/state/document.ts';
import { EarlierState } from '../../src/state/earlier-state.ts';
import { mergeState, type RunResults, seenPaths, storeState } from '../../src/state/save.ts';
import { seal, signingKey, unseal } from '../../src/state/seal.ts';
import { binding, daysAgo, document, file, issue, known, knownPath, NOW, open, result, rules, sha } from './samples.ts';

function content(seed: string, ...paths: readonly string[]): Content {
  return { sha256: sha(seed), size: 10, category: undefined, paths, file: undefined, name: `${seed}.png` };
}

const NO_RESULTS: RunResults = {
  seen: new Map(),
  others: new Set(),
  reused: [],
  analysed: [],
  submissions: [],
  sidekicks: '',
};

function remembered(state: Partial<StateDocument>, run: Partial<RunResults>, reuseDays = 90): StateDocument {
  return mergeState(new EarlierState([document(state)]), { ...NO_RESULTS, ...run }, { reuseDays, now: NOW });
}

const TIME = NOW.toISOString();

const ignore = (): void => undefined;

/** Which fields about its version a content is kept with. */
const versionFields = (versionNumber: number | undefined, versionGroupId: string | undefined) =>
  Object.keys(
    remembered({}, { analysed: [result(content('A', 'a.png'), { versionNumber, versionGroupId })] }).contents[0] ?? {},
  ).filter((key) => key.startsWith('version'));

function texts(length: number): Partial<Issue> {
  return {
    id: 'i'.repeat(length),
    summary: 'x'.repeat(length),
    headline: 'y'.repeat(length),
    status: 's'.repeat(length),
    ruleCode: 'r'.repeat(length),
    reportedSeverity: 't'.repeat(length),
    sidekickId: 'k'.repeat(length),
  };
}

describe('contents', () => {
  it('adds new analyses, with the time of this run', () => {
    const { contents, paths } = remembered(
      {},
      { analysed: [result(content('A', 'a.png', 'b.png'), { issues: [issue()] })] },
    );
    expect(contents).toEqual([
      known('A', {
        submissionId: 'submission-2',
        assetId: `asset-of-${sha('A')}`,
        analysedAt: TIME,
        versionNumber: 1,
        issues: [issue()],
      }),
    ]);
    expect(paths).toEqual(
      ['a.png', 'b.png'].map((path) => knownPath(path, 'A', { submissionId: 'submission-2', seenAt: TIME })),
    );
  });

  it('keeps the date of a reused analysis, and takes its new statuses', () => {
    const state = { contents: [known('A', { analysedAt: daysAgo(50), issues: [issue()] })] };
    const { contents } = remembered(state, {
      reused: [result(content('A', 'a.png'), { issues: [issue({ status: 'DISMISSED' })] })],
    });
    expect(contents).toMatchObject([{ analysedAt: daysAgo(50), issues: [{ status: 'DISMISSED' }] }]);
  });

  it('does not take the date from an analysis by other sidekicks', () => {
    const contents = [known('A', { analysedAt: daysAgo(50) }), known('A', { sidekicks: 'others' })];
    const merged = remembered({ contents }, { reused: [result(content('A', 'a.png'))] });
    expect(merged.contents.map(({ analysedAt }) => analysedAt)).toEqual([daysAgo(50), daysAgo(1)]);
  });

  it('keeps the version if there is one, otherwise the field is left out', () => {
    expect(versionFields(2, 'group')).toEqual(['versionGroupId', 'versionNumber']);
    expect(versionFields(undefined, undefined)).toEqual([]);
  });

  it('does not add an asset without an id', () => {
    const run = { analysed: [result(content('A', 'a.png'), { assetId: undefined })] };
    expect(remembered({}, run).contents).toEqual([]);
  });

  it('does not add what was not judged', () => {
    const { contents, paths } = remembered(
      {},
      {
        analysed: [
          result(content('A', 'a.png'), { outcome: 'failed' }),
          result(content('B', 'b.png'), { outcome: 'unjudged' }),
        ],
      },
    );
    expect(contents).toEqual([]);
    expect(paths).toEqual([]);
  });

  it('keeps contents that did not match this time while they may be reused', () => {
    const state = {
      contents: [
        known('in use', { analysedAt: daysAgo(200) }),
        known('young', { analysedAt: daysAgo(89) }),
        known('old', { analysedAt: daysAgo(91) }),
        known('in use', { analysedAt: daysAgo(200), sidekicks: 'others' }),
      ],
      paths: [knownPath('p', 'in use', { seenAt: daysAgo(89) }), knownPath('gone', 'old', { seenAt: daysAgo(91) })],
    };
    expect(remembered(state, {}).contents.map(({ sha256, sidekicks }) => [sha256, sidekicks])).toEqual([
      [sha('in use'), ''],
      [sha('young'), ''],
    ]);
    expect(remembered(state, {}).paths.map(({ path }) => path)).toEqual(['p']);
    expect(remembered(state, {}, 365).contents).toHaveLength(4);
    expect(remembered(state, {}, 7).contents).toHaveLength(2);
  });

  it('cuts long texts and leaves out optional details', () => {
    const long = issue({ ...texts(1_000), referenceNumber: 7, reasoning: 'z', createdAt: TIME });
    const halved = issue({ summary: `${'x'.repeat(299)}😀` });
    const [learnt] = remembered({}, { analysed: [result(content('A', 'a'), { issues: [long, halved] })] }).contents;
    expect(learnt?.issues).toEqual([
      issue({ ...texts(300), referenceNumber: 7 }),
      issue({ summary: `${'x'.repeat(299)}\ufffd` }),
    ]);
  });

  it('adds no unknown field: it may be a signed address or an image', () => {
    const found = { ...issue(), frameUrl: 'https://storage.test/frame?sig=0', thumbnail: 'A'.repeat(1_000) };
    const [learnt] = remembered({}, { analysed: [result(content('A', 'a'), { issues: [found] })] }).contents;
    expect(learnt?.issues).toStrictEqual([issue()]);
  });
});

describe('paths', () => {
  const state = { contents: [known('A'), known('B')], paths: [knownPath('here', 'A'), knownPath('gone', 'B')] };

  it('marks those that this run found', () => {
    expect(remembered(state, { seen: new Map([['here', sha('A')]]) }).paths).toEqual([
      knownPath('here', 'A', { seenAt: TIME }),
      knownPath('gone', 'B', { isPresent: false }),
    ]);
  });

  it.each([
    ['holds other bytes, which are not judged yet', sha('C')],
    ['cannot be read', undefined],
  ])('one that %s stays as it was', (_, sha256) => {
    const here = { seen: new Map([['here', sha256]]) };
    const unseen = { ...state, paths: [knownPath('here', 'A', { isPresent: false })] };
    expect(remembered(state, here).paths[0]).toEqual(knownPath('here', 'A', { seenAt: TIME }));
    expect(remembered(unseen, here).paths).toEqual([knownPath('here', 'A', { seenAt: TIME, isPresent: false })]);
  });

  it('one with new bytes has those, once they are judged', () => {
    const run = { seen: new Map([['here', sha('C')]]), analysed: [result(content('C', 'here'))] };
    expect(remembered(state, run).paths[0]).toEqual(
      knownPath('here', 'C', { submissionId: 'submission-2', seenAt: TIME }),
    );
  });

  it('are all that a run looked at, those included that it could not plan', () => {
    const seen = seenPaths([{ path: 'a' }, { path: 'broken' }], [content('A', 'a', 'b')]);
    expect(seen).toEqual(
      new Map([
        ['a', sha('A')],
        ['broken', undefined],
        ['b', sha('A')],
      ]),
    );
  });

  it('one of another gate of the same name stays as it was', () => {
    const paths = [knownPath('others', 'A'), knownPath('gone', 'B'), knownPath('foreign', 'B', { isPresent: false })];
    const run = { others: new Set(['others', 'foreign']) };
    expect(remembered({ ...state, paths }, run).paths.map(({ isPresent }) => isPresent)).toEqual([true, false, false]);
    expect(remembered({ ...state, paths }, run).paths[0]).toEqual(knownPath('others', 'A'));
  });

  it('one from another scope is present if the same bytes are found', () => {
    const foreign = { ...state, paths: [knownPath('here', 'A', { isPresent: false })] };
    expect(remembered(foreign, { seen: new Map([['here', sha('A')]]) }).paths).toEqual([
      knownPath('here', 'A', { seenAt: TIME }),
    ]);
  });
});

describe('open submissions', () => {
  const sent = { submissionId: 's', createdAt: TIME, contents: [content('A', 'a'), content('B', 'b')] };

  it('are kept before they have results', () => {
    expect(remembered({}, { submissions: [sent] }).open).toEqual([open('s', ['A', 'B'], { createdAt: TIME })]);
  });

  it.each(['unjudged', 'failed'] as const)('keep what is %s, and not what is judged', (outcome) => {
    const analysed = [
      result(content('A', 'a'), { submissionId: 's' }),
      result(content('B', 'b'), { submissionId: 's', outcome }),
    ];
    expect(remembered({}, { submissions: [sent], analysed }).open).toEqual([open('s', ['B'], { createdAt: TIME })]);
  });

  it('follow an asset into the submission of its retry', () => {
    const analysed = [
      result(content('A', 'a'), { submissionId: 's', outcome: 'unjudged' }),
      result(content('B', 'b'), { submissionId: 'retry', outcome: 'unjudged' }),
    ];
    expect(remembered({}, { submissions: [sent], analysed }).open).toEqual([
      open('s', ['A'], { createdAt: TIME }),
      open('retry', ['B'], { createdAt: TIME }),
    ]);
  });

  it('of earlier runs are kept, without what is judged or was sent again', () => {
    const state = { open: [open('old', ['A', 'B', 'C', 'D'])] };
    const run = {
      reused: [result(content('C', 'c'))],
      submissions: [{ ...sent, contents: [content('A', 'a')] }],
      analysed: [result(content('A', 'a'), { submissionId: 's', outcome: 'failed' })],
    };
    expect(remembered(state, run).open).toEqual([open('s', ['A'], { createdAt: TIME }), open('old', ['B', 'D'])]);
  });

  it('of other sidekicks stay as they are', () => {
    const state = { open: [open('old', ['A'], { sidekicks: 'x' })] };
    expect(remembered(state, { analysed: [result(content('A', 'a'))] }).open).toEqual(state.open);
  });

  it('are dropped after seven days', () => {
    const state = {
      open: [open('old', ['A'], { createdAt: daysAgo(7) }), open('young', ['B'], { createdAt: daysAgo(6.9) })],
    };
    expect(remembered(state, {}).open.map(({ submissionId }) => submissionId)).toEqual(['young']);
  });
});

it('a state that cannot be saved is a warning, with one full stop', async () => {
  const warnings: string[] = [];
  const log: Log = {
    info: ignore,
    notice: ignore,
    warning: (text) => void warnings.push(text),
    group: async (_, work) => await work(),
  };
  const state = {
    kind: 'state',
    earlierState: new EarlierState([]),
    scopes: undefined,
    results: NO_RESULTS,
    rules: { reuseDays: 90, now: NOW },
  } as const;
  const store = { ...NO_STORE, save: async () => await Promise.reject(new Error('The disk is full.')) };
  expect(await storeState(state, store, log)).toBe('');
  expect(warnings).toEqual([expect.stringContaining(': The disk is full. The verdict is not affected.')]);
});

describe('merge and plan together', () => {
  const seeds = ['A', 'B', 'C', 'D', 'E', 'F'];
  const outcomes = fc.constantFrom('judged', 'failed', 'unjudged' as const);
  /** A run: the bytes at each path, and the results of what is sent. */
  const run = fc.record({
    files: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom(...seeds), { noNullPrototype: true }),
    outcomes: fc.array(outcomes, { minLength: seeds.length, maxLength: seeds.length }),
    dies: fc.boolean(),
  });

  it('never sends again what was judged or is still open, over any sequence of runs', () => {
    const key = signingKey('secret');
    fc.assert(
      fc.property(fc.array(run, { minLength: 1, maxLength: 8 }), (runs) => {
        let state = document();
        const judged = new Set<string>();
        const opened = new Set<string>();
        for (const [number, { files, outcomes: ends, dies }] of runs.entries()) {
          const earlierState = new EarlierState([state]);
          const entries = Object.entries(files);
          const made = makePlan({
            files: entries.map(([path, seed]) => file(path, seed)),
            pointers: [],
            earlierState,
            rules: rules(),
          });
          for (const {
            content: { sha256 },
          } of made.toSubmit) {
            expect(judged).not.toContain(sha256);
            expect(opened).not.toContain(sha256);
          }
          const submission = {
            submissionId: `s${number}`,
            createdAt: TIME,
            contents: made.toSubmit.map((each) => each.content),
          };
          const submissions = [...(made.toSubmit.length > 0 ? [submission] : []), ...made.toAwait];
          const seen = new Map(entries.map(([path, seed]) => [path, sha(seed)]));
          const base = { seen, others: new Set<string>(), reused: [], analysed: [], submissions, sidekicks: '' };
          for (const { contents } of submissions) for (const { sha256 } of contents) opened.add(sha256);
          const analysed = submissions.flatMap(({ submissionId, contents }) =>
            contents.map((each) =>
              result(each, {
                submissionId,
                outcome: ends[seeds.findIndex((seed) => sha(seed) === each.sha256)] ?? 'judged',
              }),
            ),
          );
          const reused = made.toReuse.map((each) => result(each.content));
          const results = dies ? base : { ...base, reused, analysed };
          if (!dies)
            for (const {
              outcome,
              content: { sha256 },
            } of analysed)
              if (outcome === 'judged') judged.add(sha256);
          const saved = seal(mergeState(earlierState, results, { reuseDays: 90, now: NOW }), binding(), key);
          const loaded = unseal(Buffer.from(saved), binding(), key);
          if (!loaded.ok) throw new Error(loaded.error);
          state = loaded.value.document;
        }
      }),
    );
  });
});
