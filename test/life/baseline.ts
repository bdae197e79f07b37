import type { Issue } from './asset.ts';
import { isSameGate, type Run } from './run.ts';

/** The naive reference of the baseline in design 5: what a run with `fail-on-issues: new` must call new. */

const SEVERITIES = ['INFO', 'MINOR', 'MAJOR', 'CRITICAL'];
/** Statuses of issues that do not count. */
export const CLOSED = ['RESOLVED', 'DISMISSED'];

/** Says what is wrong with the number of new issues. Only runs that have read everything are compared. */
export function wrongBaseline(run: Run): readonly string[] {
  const { verdict, outputs, options } = run;
  const isCompared = options.inputs?.['fail-on-issues'] === 'new' && (verdict === 'pass' || verdict === 'fail');
  const baseline = baselineOf(run);
  if (!isCompared || !hasReadAll(run) || (baseline && !hasReadAll(baseline))) return [];
  const expected = baseline ? String(countNew(issuesIn(run), issuesIn(baseline))) : '';
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

/** Whether each path has a result. A file at two paths has each issue once. */
function hasReadAll({ report, faults }: Run): boolean {
  const contents = report?.contents ?? [];
  return faults === 0 && contents.every(({ paths, outcome }) => paths.length === 1 && outcome === 'result');
}

interface FoundIssue extends Issue {
  readonly path: string | undefined;
}

function issuesIn({ report }: Run): readonly FoundIssue[] {
  return (report?.contents ?? []).flatMap(({ paths: [path], issues }) => issues.map((issue) => ({ ...issue, path })));
}

/** In the same analysis, equal ids match, wherever the file is now. The others match by path and rule, one for one. */
function countNew(found: readonly FoundIssue[], known: readonly FoundIssue[]): number {
  const left = [...known];
  const take = (isMatch: (before: FoundIssue) => boolean): FoundIssue | undefined => {
    const index = left.findIndex(isMatch);
    return index === -1 ? undefined : left.splice(index, 1)[0];
  };
  // What does not count is matched first, so that a surplus counts.
  const inactiveFirst = found.toSorted((a, b) => Number(isActive(a)) - Number(isActive(b)));
  const byId = inactiveFirst.map((now) => ({ now, before: take(({ id }) => id === now.id) }));
  const all = byId.map(({ now, before }) => {
    return { now, before: before ?? take(({ path, ruleCode }) => path === now.path && ruleCode === now.ruleCode) };
  });
  return all.filter(({ now, before }) => isActive(now) && (!before || isWorse(now, before))).length;
}

function isActive({ status }: Issue): boolean {
  return !CLOSED.includes(status);
}

/** Whether an issue has a higher severity than before, or counts and did not. */
function isWorse(now: Issue, before: Issue): boolean {
  return SEVERITIES.indexOf(now.severity) > SEVERITIES.indexOf(before.severity) || !isActive(before);
}
