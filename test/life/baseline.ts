import type { Issue } from './asset.ts';
import type { Content, Run } from './world.ts';

/** The naive reference of the baseline in design 5: what a run with `fail-on-issues: new` must call new. */

const SEVERITIES = ['INFO', 'MINOR', 'MAJOR', 'CRITICAL'];
const CLOSED = ['RESOLVED', 'DISMISSED'];

/** Says what is wrong with the number of new issues. Only runs without any trouble are compared. */
export function wrongBaseline(run: Run): readonly string[] {
  const { report, verdict, faults, outputs } = run;
  const isCompared = run.options.inputs?.['fail-on-issues'] === 'new' && (verdict === 'pass' || verdict === 'fail');
  const contents = report?.contents ?? [];
  if (!isCompared || faults > 0 || contents.some(({ paths }) => paths.length > 1)) return [];
  const baseline = baselineOf(run);
  const expected = baseline ? String(contents.reduce((sum, each) => sum + countNew(each, baseline), 0)) : '';
  const got = outputs.get('new-issue-count');
  const { id, attempt = 1 } = baseline?.options ?? { id: 'none' };
  return got === expected
    ? []
    : [`finds "${got}" new issues instead of "${expected}": the baseline is ${id}.${attempt}`];
}

function baselineOf(run: Run): Run | undefined {
  const { event = 'push', base, branch, commit, id, job, key } = run.options;
  const ended = run.listed.filter(
    ({ by, name }) => /-state-/.test(name) && by.options.job === job && by.options.key === key,
  );
  const newestFirst = ended.toReversed().toSorted((a, b) => b.by.options.id - a.by.options.id);
  const runs = newestFirst.map(({ by }) => by);
  if (event === 'pull_request' || event === 'merge_group')
    return runs.find(({ options }) => options.commit === base) ?? runs.find(({ options }) => options.branch === 'main');
  return runs.find(({ options }) => options.branch === branch && options.id < id && options.commit !== commit);
}

function countNew({ paths: [path = ''], issues }: Content, { report }: Run): number {
  const known = report?.contents.find((each) => each.paths.includes(path));
  const left = [...(known?.issues ?? [])];
  const take = (isMatch: (then: Issue) => boolean): Issue | undefined => {
    const index = left.findIndex(isMatch);
    return index === -1 ? undefined : left.splice(index, 1)[0];
  };
  const active = issues.filter(({ status }) => !CLOSED.includes(status));
  const byId = active.map((now) => ({ now, before: take(({ id }) => id === now.id) }));
  const all = byId.map(
    ({ now, before }) => [now, before ?? take(({ ruleCode }) => ruleCode === now.ruleCode)] as const,
  );
  return all.filter(([now, before]) => !before || isWorse(now, before)).length;
}

/** Whether an issue has a higher severity than before, or counts and did not. */
function isWorse(now: Issue, before: Issue): boolean {
  return SEVERITIES.indexOf(now.severity) > SEVERITIES.indexOf(before.severity) || CLOSED.includes(before.status);
}
