import { describe, expect, it } from 'vitest';
import type { SavedState } from '../../src/state/seal.ts';
import { historyOf, missingBaselineNotice, NO_HISTORY } from '../../src/verdict/baseline.ts';
import { binding, document, issue, known, knownPath, sha } from '../state/samples.ts';

const ISSUE = issue();
const BASE: SavedState = {
  binding: binding({ scope: 'branch:main' }),
  document: document({
    contents: [known('A', { issues: [ISSUE] }), known('B', { issues: [ISSUE] }), known('C', { issues: [ISSUE] })],
    paths: [knownPath('a.png', 'A'), knownPath('gone.png', 'B', { isPresent: false })],
  }),
};

const COMMIT = 'c'.repeat(40);
const PUSH = {
  baseBranch: undefined,
  baseCommit: undefined,
  branch: 'main',
  commit: COMMIT,
  pullRequest: undefined,
  event: 'push',
};
const PULL = { ...PUSH, baseBranch: 'main', baseCommit: COMMIT, branch: 'feature' };

function baseline(state: SavedState) {
  return historyOf({ states: [state], isFromFile: false, isLost: false, notices: [] }, PULL).baseline;
}

describe('the baseline', () => {
  it('is what the base branch holds: by path, and by content if the path is another', () => {
    expect(baseline(BASE)?.fileAt('a.png', sha('other'))).toEqual({ sha256: sha('A'), issues: [ISSUE] });
    expect(baseline(BASE)?.fileAt('renamed.png', sha('A'))).toEqual({ sha256: sha('A'), issues: [ISSUE] });
    expect(baseline(BASE)?.fileAt('new.png', sha('other'))).toBeUndefined();
  });

  it('goes by the path first, even if the same content is elsewhere', () => {
    const paths = [knownPath('a.png', 'A'), knownPath('b.png', 'B')];
    const state = { ...BASE, document: { ...BASE.document, paths } };
    expect(baseline(state)?.fileAt('a.png', sha('B'))?.sha256).toBe(sha('A'));
  });

  it('is the analysis that the branch itself goes by, if others analysed the same bytes', () => {
    const others = known('A', { submissionId: 'submission-2', sidekicks: 'others', issues: [] });
    const { binding: place, document: held } = BASE;
    const state = { binding: place, document: { ...held, contents: [...held.contents, others] } };
    expect(baseline(state)?.fileAt('a.png', sha('A'))).toEqual({ sha256: sha('A'), issues: [ISSUE] });
  });

  it.each([
    ['what is gone from the branch, by path', 'gone.png', 'B'],
    ['what is gone from the branch, by content', 'again.png', 'B'],
    ['what only another branch ever had', 'c.png', 'C'],
  ])('is not %s', (_, path, seed) => {
    expect(baseline(BASE)?.fileAt(path, sha(seed))).toBeUndefined();
  });

  it.each([
    ['of the pull request', binding({ scope: 'pull:main' })],
    ['of another branch', binding({ scope: 'branch:develop' })],
    ['of a run that had only submitted', binding({ kind: 'open' })],
    ['of a comment’s run, which may have had anything checked out', binding({ event: 'issue_comment' })],
    ['of such a run, by its scope', binding({ scope: 'other:main' })],
  ])('is never the state %s', (_, other) => {
    expect(baseline({ ...BASE, binding: other })).toBeUndefined();
  });

  it('is nothing if there is no history', () => {
    expect(NO_HISTORY.baseline).toBeUndefined();
    expect(NO_HISTORY.earlierState.contents).toEqual([]);
  });

  it('is not that of a ref that only looks like the branch', () => {
    const odd = { ...BASE, binding: binding({ scope: 'branch:undefined' }) };
    expect(historyOf({ states: [odd], isFromFile: false, isLost: false, notices: [] }, PUSH).baseline).toBeUndefined();
  });

  it('uses the content if the analysis of a path is missing', () => {
    const state = {
      ...BASE,
      document: document({
        contents: [known('A', { issues: [ISSUE] })],
        paths: [knownPath('a.png', 'A'), knownPath('b.png', 'B')],
      }),
    };
    expect(baseline(state)?.fileAt('b.png', sha('A'))).toEqual({ sha256: sha('A'), issues: [ISSUE] });
  });

  it('is nothing if there is no base', () => {
    expect(historyOf({ states: [BASE], isFromFile: false, isLost: false, notices: [] }, PUSH).baseline).toBeUndefined();
  });
});

function saved(label: string, changes: Parameters<typeof binding>[0]): SavedState {
  return {
    binding: binding({ commit: 'a'.repeat(40), ...changes }),
    document: document({ contents: [known(label, { issues: [ISSUE] })], paths: [knownPath('a.png', label)] }),
  };
}

function chosen(states: readonly SavedState[], isFromFile = false) {
  return historyOf({ states, isFromFile, isLost: false, notices: [] }, PULL);
}

describe('of several states of the base branch', () => {
  const [EARLY, LATE] = ['2026-11-01T00:00:00.000Z', '2026-11-10T00:00:00.000Z'];

  it.each([
    [
      'that of the latest run counts, even if an older run ended later',
      saved('latest', { runId: '1000', savedAt: EARLY }),
      saved('older', { runId: '999', savedAt: LATE }),
    ],
    [
      'and even if an older run was re-run',
      saved('latest', { runId: '1000', savedAt: EARLY }),
      saved('older', { runId: '999', runAttempt: 3, savedAt: LATE }),
    ],
    [
      'of one run, its last attempt',
      saved('latest', { runAttempt: 10, savedAt: EARLY }),
      saved('older', { runAttempt: 9, savedAt: LATE }),
    ],
    [
      'that of exactly the base commit goes before a later one',
      saved('latest', { runId: '7', commit: COMMIT }),
      saved('older', { runId: '9' }),
    ],
  ])('%s', (_, latest, older) => {
    for (const states of [
      [latest, older],
      [older, latest],
    ])
      expect(chosen(states).baseline?.fileAt('a.png', '')?.sha256).toBe(sha('latest'));
  });

  it('one from a file has to be of exactly the base commit', () => {
    const old = chosen([saved('old', { commit: 'b'.repeat(40) })], true);
    expect(old.baseline).toBeUndefined();
    expect(old.notices).toEqual([expect.stringContaining('is of commit bbbbbbb, and the base of this run is ccccccc')]);
    const exact = chosen([saved('exact', { commit: COMMIT })], true);
    expect(exact.baseline).toBeDefined();
    expect(exact.notices).toEqual([]);
  });
});

it('the notice about a missing baseline says what to do, if there is a base branch', () => {
  expect(missingBaselineNotice({ baseBranch: 'main' })).toContain('Run this gate on `push` to main as well.');
  expect(missingBaselineNotice({ baseBranch: undefined })).toContain('needs a base branch to compare with');
});

describe('the history', () => {
  it('is lost if the states are', () => {
    for (const isLost of [true, false])
      expect(historyOf({ states: [], isFromFile: false, isLost, notices: [] }, PUSH).isStateLost).toBe(isLost);
  });

  it('keeps the scopes under which the state of this run is saved', () => {
    const scopes = ['merge:1', 'pull:7'];
    const loaded = { states: [], isFromFile: false, isLost: false, notices: [], scopes };
    expect(historyOf(loaded, PUSH).scopes).toBe(scopes);
  });

  it('is of all states', () => {
    const other: SavedState = {
      binding: binding({ scope: 'pull:x', kind: 'open' }),
      document: document({ contents: [known('Z')] }),
    };
    const { earlierState } = historyOf({ states: [other, BASE], isFromFile: false, isLost: false, notices: [] }, PUSH);
    expect(earlierState.content(sha('Z'))).toBeDefined();
    expect(earlierState.content(sha('B'))).toBeDefined();
  });

  it('has only the present paths of its own scope', () => {
    const pull: SavedState = {
      binding: binding({ scope: 'pull:main' }),
      document: document({ paths: [knownPath('a.png', 'Z'), knownPath('z.png', 'Z')] }),
    };
    const { earlierState } = historyOf({ states: [BASE, pull], isFromFile: false, isLost: false, notices: [] }, PUSH);
    expect(earlierState.paths).toEqual([...BASE.document.paths, knownPath('z.png', 'Z', { isPresent: false })]);
  });
});
