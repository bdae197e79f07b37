import { describe, expect, it } from 'vitest';
import type { FoundState } from '../../src/state/store.ts';
import { historyOf, NO_HISTORY } from '../../src/verdict/baseline.ts';
import { binding, document, issue, known, knownPath, sha } from '../state/samples.ts';

const ISSUE = issue();
const BASE: FoundState = {
  binding: binding({ scope: 'branch:main' }),
  document: document({
    contents: [known('A', { issues: [ISSUE] }), known('B', { issues: [ISSUE] }), known('C', { issues: [ISSUE] })],
    paths: [knownPath('a.png', 'A'), knownPath('gone.png', 'B', { isPresent: false })],
  }),
};

const PUSH = { baseBranch: undefined, branch: 'main', pullRequest: undefined, event: 'push' };
const PULL = { ...PUSH, baseBranch: 'main', branch: 'feature' };

function baseline(state: FoundState) {
  return historyOf({ states: [state], notices: [] }, PULL).baseline;
}

describe('the baseline', () => {
  it('is what the base branch holds: by path, and by content where the path is another', () => {
    expect(baseline(BASE)?.fileAt('a.png', sha('other'))).toEqual({ sha256: sha('A'), issues: [ISSUE] });
    expect(baseline(BASE)?.fileAt('renamed.png', sha('A'))).toEqual({ sha256: sha('A'), issues: [ISSUE] });
    expect(baseline(BASE)?.fileAt('new.png', sha('other'))).toBeUndefined();
  });

  it('is the analysis that the branch itself goes by, where others looked at the same bytes', () => {
    const others = known('A', { submissionId: 'submission-2', settings: 'others', issues: [] });
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

  it('is nothing where there is no history', () => {
    expect(NO_HISTORY.baseline).toBeUndefined();
    expect(NO_HISTORY.earlierState.contents).toEqual([]);
  });

  it('is not of a branch that is called like no branch', () => {
    const odd = { ...BASE, binding: binding({ scope: 'branch:undefined' }) };
    expect(historyOf({ states: [odd], notices: [] }, PUSH).baseline).toBeUndefined();
  });

  it('has nothing of a path whose analysis is not there, and goes by its content', () => {
    const state = {
      ...BASE,
      document: document({
        contents: [known('A', { issues: [ISSUE] })],
        paths: [knownPath('a.png', 'A'), knownPath('b.png', 'B')],
      }),
    };
    expect(baseline(state)?.fileAt('b.png', sha('A'))).toEqual({ sha256: sha('A'), issues: [ISSUE] });
  });

  it('is nothing where there is no base', () => {
    expect(historyOf({ states: [BASE], notices: [] }, PUSH).baseline).toBeUndefined();
  });
});

describe('knowledge', () => {
  it('is of all states', () => {
    const other: FoundState = {
      binding: binding({ scope: 'pull:x', kind: 'open' }),
      document: document({ contents: [known('Z')] }),
    };
    const { earlierState } = historyOf({ states: [other, BASE], notices: [] }, PUSH);
    expect(earlierState.content(sha('Z'))).toBeDefined();
    expect(earlierState.content(sha('B'))).toBeDefined();
  });

  it('of what is present is the scope’s own: what another one holds may never have come here', () => {
    const pull: FoundState = {
      binding: binding({ scope: 'pull:main' }),
      document: document({ paths: [knownPath('a.png', 'Z'), knownPath('z.png', 'Z')] }),
    };
    const { earlierState } = historyOf({ states: [BASE, pull], notices: [] }, PUSH);
    expect(earlierState.paths).toEqual([...BASE.document.paths, knownPath('z.png', 'Z', { isPresent: false })]);
  });
});
