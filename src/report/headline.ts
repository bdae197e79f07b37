import { author, rerun, type Step, workflowOwner } from '../lib/cause.ts';
import { count, formatList, plural } from '../lib/format.ts';
import { SEVERITIES } from '../service/issue.ts';
import { haveFailedAlike } from './cause-hints.ts';
import { countFiles, day } from './phrases.ts';
import type { Report, ReportedContent } from './report.ts';

/** What the first sentence of every report depends on. */
export type HeadlineFacts = Pick<Report, 'verdict' | 'mode' | 'lastKnown' | 'causes' | 'counts' | 'assets'> & {
  /** Whether a later run can reuse the results of this one. */
  readonly keepsState: boolean;
  readonly waiversFile: string | undefined;
  /** Where people look at the issues of the service. */
  readonly serviceHost: string | undefined;
};

/** The reason for the verdict, in one sentence. */
export function headline(facts: HeadlineFacts): string {
  const { mode, verdict, lastKnown } = facts;
  const isJudged = verdict === 'fail' || verdict === 'pass';
  const memory = isJudged && lastKnown ? `, as known on ${day(lastKnown.since)}: the service did not answer today` : '';
  const sandbox =
    mode === 'sandbox' && (verdict === 'fail' || verdict === 'error') ? ' (sandbox: nothing was analysed)' : '';
  return reasonOf(facts) + memory + sandbox;
}

function reasonOf(facts: HeadlineFacts): string {
  switch (facts.verdict) {
    case 'fail':
      return describeFailing(facts);
    case 'pass':
      return describePassing(facts);
    case 'error':
    case 'skipped':
      return describeCauses(facts);
  }
}

function failingAssets({ assets }: HeadlineFacts): readonly ReportedContent[] {
  return assets.filter(({ issues }) => issues.some(({ failsGate }) => failsGate));
}

function describeFailing(facts: HeadlineFacts): string {
  const { assets, counts } = facts;
  const failing = failingAssets(facts);
  const issues = failing.flatMap((asset) => asset.issues).filter(({ failsGate }) => failsGate);
  const bySeverity = SEVERITIES.flatMap((severity) => {
    const number = issues.filter((issue) => issue.severity === severity).length;
    return number === 0 ? [] : [`${count(number)} ${severity}`];
  });
  const unjudged = countFiles(assets.filter(({ outcome }) => outcome !== 'judged'));
  const also = unjudged > 0 ? `; ${plural(unjudged, 'file')} could not be judged at all` : '';
  return `${bySeverity.join(', ')} ${counts.failing === 1 ? 'issue' : 'issues'} in ${count(countFiles(failing))} of ${plural(counts.filesMatched, 'file')}${also}`;
}

function describePassing({ counts, mode }: HeadlineFacts): string {
  if (mode === 'sandbox') return 'nothing was analysed';
  return [
    `${plural(counts.filesMatched, 'file')} checked, ${counts.issues === 0 ? 'no active issues' : `${plural(counts.issues, 'active issue')}, none that stops the check`}`,
    ...(counts.waived > 0 ? [`${plural(counts.waived, 'issue')} waived`] : []),
    ...(counts.known > 0 ? [`${plural(counts.known, 'issue')} known from the base branch`] : []),
  ].join('; ');
}

function describeCauses({ causes, assets, counts }: HeadlineFacts): string {
  const [first, ...others] = causes;
  if (!first) return 'nothing was checked';
  const { paths, message } = first;
  if (others.length === 0 && haveFailedAlike(first, assets.length))
    return `All ${count(counts.filesMatched)} files failed alike, so it is probably the service: ${message}`;
  const problems = others.length === 0 ? '' : `${count(others.length + 1)} problems, the first: `;
  const files = paths.length === 0 ? '' : `${paths.length === 1 ? paths[0] : plural(paths.length, 'file')}: `;
  return problems + files + message;
}

const MAX_NAMED = 3;

/** What the reader can do, most useful first. */
export function nextSteps(facts: HeadlineFacts): readonly Step[] {
  const { verdict, causes, mode } = facts;
  if (verdict === 'fail') return [changeStep(facts), ...dismissSteps(facts), ...stepsOf(causes)];
  if (verdict === 'pass' && mode === 'sandbox')
    return [workflowOwner('To have the files analysed, use a live key (`sk_live_…`).')];
  return stepsOf(causes);
}

/** Each step once; those of one person together, if there is more than one cause. */
function stepsOf(causes: HeadlineFacts['causes']): readonly Step[] {
  const steps = causes.flatMap((cause) => cause.steps);
  const once = [...new Map(steps.map((step) => [`${step.actor} ${step.text}`, step])).values()];
  return causes.length < 2 ? once : [...Map.groupBy(once, ({ actor }) => actor).values()].flat();
}

function changeStep(facts: HeadlineFacts): Step {
  const paths = failingAssets(facts).flatMap((asset) => asset.paths.map((path) => `\`${path}\``));
  const cost = facts.keepsState ? ' Only changed files are sent and billed.' : '';
  return author(`Change or replace ${formatList(paths, MAX_NAMED)} and push.${cost}`);
}

function dismissSteps({ serviceHost, waiversFile, keepsState }: HeadlineFacts): readonly Step[] {
  const where = serviceHost === undefined ? '' : ` (\`${serviceHost}\`)`;
  const waiver = waiversFile === undefined ? '' : `, or ask the owners of \`${waiversFile}\` for a waiver`;
  const text = `If it is not a problem, have the issue dismissed in the service${where}${waiver}.`;
  return [{ actor: 'anyone', text }, rerun(`Then re-run this job${keepsState ? ', which costs nothing' : ''}.`)];
}
