import { describe, expect, it } from 'vitest';
import { Baseline, missingBaselineNotice } from '../../src/verdict/baseline.ts';
import { document, issue, known, knownPath, sha } from '../state/samples.ts';

const ISSUE = issue();
const STATE = document({
  contents: [known('A', { issues: [ISSUE] }), known('B', { issues: [ISSUE] }), known('C', { issues: [ISSUE] })],
  paths: [knownPath('a.png', 'A'), knownPath('gone.png', 'B', { isPresent: false })],
});

describe('the baseline', () => {
  it('is what the base branch holds: by path, and by content if the path is another', () => {
    const baseline = new Baseline(STATE);
    expect(baseline.fileAt('a.png', sha('other'))).toEqual({ sha256: sha('A'), issues: [ISSUE] });
    expect(baseline.fileAt('renamed.png', sha('A'))).toEqual({ sha256: sha('A'), issues: [ISSUE] });
    expect(baseline.fileAt('new.png', sha('other'))).toBeUndefined();
  });

  it('goes by the path first, even if the same content is elsewhere', () => {
    const paths = [knownPath('a.png', 'A'), knownPath('b.png', 'B')];
    expect(new Baseline({ ...STATE, paths }).fileAt('a.png', sha('B'))?.sha256).toBe(sha('A'));
  });

  it('is the analysis that the branch itself goes by, if others analysed the same bytes', () => {
    const others = known('A', { submissionId: 'submission-2', sidekicks: 'others', issues: [] });
    const baseline = new Baseline({ ...STATE, contents: [...STATE.contents, others] });
    expect(baseline.fileAt('a.png', sha('A'))).toEqual({ sha256: sha('A'), issues: [ISSUE] });
  });

  it.each([
    ['what is gone from the branch, by path', 'gone.png', 'B'],
    ['what is gone from the branch, by content', 'again.png', 'B'],
    ['what only another branch ever had', 'c.png', 'C'],
  ])('is not %s', (_, path, seed) => {
    expect(new Baseline(STATE).fileAt(path, sha(seed))).toBeUndefined();
  });

  it('uses the content if the analysis of a path is missing', () => {
    const paths = [knownPath('a.png', 'A'), knownPath('b.png', 'X')];
    const file = new Baseline({ ...STATE, paths }).fileAt('b.png', sha('A'));
    expect(file).toEqual({ sha256: sha('A'), issues: [ISSUE] });
  });
});

it('the notice about a missing baseline says what to do, if there is a base branch', () => {
  expect(missingBaselineNotice({ baseBranch: 'main' })).toContain('Run this gate on `push` to main as well');
  expect(missingBaselineNotice({ baseBranch: undefined })).toContain('needs a base branch to compare with');
});
