import type { Issue } from './asset.ts';
import { type Content, isSameGate, type Run } from './run.ts';
import type { World } from './world.ts';

/** The naive reference of the baseline in design 5: what a run with `fail-on-issues: new` must call new. */

const SEVERITIES = ['INFO', 'MINOR', 'MAJOR', 'CRITICAL'];
const CLOSED = ['RESOLVED', 'DISMISSED'];

/** Says what is wrong with the number of new issues. Only runs without any trouble are compared. */
export function wrongBaseline(run: Run, world: World): readonly string[] {
  const { report, verdict, faults, outputs } = run;
  const isCompared = run.options.inputs?.['fail-on-issues'] === 'new' && (verdict === 'pass' || verdict === 'fail');
  const contents = report?.contents ?? [];
  if (!isCompared || faults > 0 || contents.some(({ paths }) => paths.length > 1)) return [];
  const baseline = baselineOf(run);
  const isActive = ({ status, ruleCode }: Issue): boolean =>
    !CLOSED.includes(status) && !(ruleCode === 'R-0' && world.waives(run));
  const expected = baseline ? String(countNew(contents, knownIn(baseline, world), isActive)) : '';
  const got = outputs.get('new-issue-count');
  const { id, attempt = 1 } = baseline?.options ?? { id: 'none' };
  return got === expected
    ? []
    : [`finds "${got}" new issues instead of "${expected}": the baseline is ${id}.${attempt}`];
}

export function baselineOf(run: Run): Run | undefined {
  const { event = 'push', base, branch, commit, id } = run.options;
  const ended = run.listed.filter(
    ({ by, name, at }) => /-state-/.test(name) && isSameGate(by, run) && at === by.saved.at(-1)?.at,
  );
  const newestFirst = ended.toReversed().toSorted((a, b) => b.by.options.id - a.by.options.id);
  const runs = newestFirst.map(({ by }) => by);
  if (event === 'pull_request' || event === 'merge_group')
    return runs.find(({ options }) => options.commit === base) ?? runs.find(({ options }) => options.branch === 'main');
  return runs.find(({ options }) => options.branch === branch && options.id < id && options.commit !== commit);
}

interface KnownIssue extends Issue {
  readonly path: string;
}

/** For each path whose issues counted in that run, the issues of its analysis, without those of what was read in part. */
function knownIn({ report, earlier }: Run, { service }: World): readonly KnownIssue[] {
  const judgedBefore = new Set(earlier.flatMap((each) => (each.report?.contents ?? []).map(analysisOf)));
  return (report?.contents ?? []).flatMap((content) => {
    const isCounted = ({ id }: Issue): boolean => {
      const asset = service.assets.find(({ issues }) => issues.some((each) => each.id === id.toLowerCase()));
      return content.outcome === 'result' ? asset?.id === analysisOf(content) : judgedBefore.has(asset?.id);
    };
    const issues = content.issues.filter(isCounted);
    return content.paths.flatMap((path) => issues.map((issue) => ({ ...issue, path })));
  });
}

/** The asset that a run has judged a content by. */
function analysisOf({ outcome, assetId }: Content): string | undefined {
  return outcome === 'result' ? assetId?.toLowerCase() : undefined;
}

/** In the same analysis, equal ids match, wherever the file is now. The others match by path and rule, one for one. */
function countNew(
  contents: readonly Content[],
  known: readonly KnownIssue[],
  isActive: (issue: Issue) => boolean,
): number {
  const left = [...known];
  const take = (isMatch: (before: KnownIssue) => boolean): KnownIssue | undefined => {
    const index = left.findIndex(isMatch);
    return index === -1 ? undefined : left.splice(index, 1)[0];
  };
  const issues = contents.flatMap(({ paths: [path], issues }) => issues.map((issue) => ({ ...issue, path })));
  // What does not count is matched first, so that a surplus counts.
  const inactiveFirst = issues.toSorted((a, b) => Number(isActive(a)) - Number(isActive(b)));
  const byId = inactiveFirst.map((now) => [now, take(({ id }) => id === now.id)] as const);
  const all = byId.map(
    ([now, before]) =>
      [now, before ?? take(({ path, ruleCode }) => path === now.path && ruleCode === now.ruleCode)] as const,
  );
  return all.filter(([now, before]) => isActive(now) && (!before || isWorse(now, before))).length;
}

/** Whether an issue has a higher severity than before, or counts and did not. */
function isWorse(now: Issue, before: Issue): boolean {
  return SEVERITIES.indexOf(now.severity) > SEVERITIES.indexOf(before.severity) || CLOSED.includes(before.status);
}
