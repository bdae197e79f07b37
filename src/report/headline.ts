import { count, formatList, plural } from '../lib/format.ts';
import { SEVERITIES } from '../service/issue.ts';
import { type CauseGroup, countFiles, day, forActor, groupCauses, haveFailedAlike } from './phrases.ts';
import type { Report, ReportedContent } from './report.ts';

/** What the first sentence of every report depends on. */
export type HeadlineFacts = Pick<Report, 'verdict' | 'mode' | 'lastKnown' | 'causes' | 'counts' | 'assets'> & {
  /** Whether a later run can reuse the results of this one. */
  readonly keepsState: boolean;
  readonly waiversFile: string | undefined;
  /** Where people look at the issues of the service. */
  readonly serviceHost: string | undefined;
};

/** The reason for the verdict, in one sentence. An id says nothing to a reader who only wants to know what happened. */
export function headline(facts: HeadlineFacts): string {
  const { mode, verdict, lastKnown } = facts;
  const isJudged = verdict === 'fail' || verdict === 'pass';
  const memory = isJudged && lastKnown ? `, as known on ${day(lastKnown.since)}: the service did not answer today` : '';
  const sandbox =
    mode === 'sandbox' && (verdict === 'fail' || verdict === 'error') ? ' (sandbox: nothing was analysed)' : '';
  return withoutIds(reasonOf(facts)) + memory + sandbox;
}

const ID = String.raw`[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}`;
const IN_BRACKETS = new RegExp(String.raw` \((?:submission )?${ID}(?:, ${ID})*\)`, 'gi');
const SUBMISSION = new RegExp(String.raw`\bsubmission ${ID}`, 'gi');

function withoutIds(text: string): string {
  return text
    .replaceAll(IN_BRACKETS, '')
    .replaceAll(SUBMISSION, (found) => (found.startsWith('S') ? 'The submission' : 'the submission'));
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
  const [first, ...others] = groupCauses(causes);
  if (!first) return 'nothing was checked';
  if (haveFailedAlike(causes, assets.length))
    return `All ${count(counts.filesMatched)} files failed alike, so it is probably the service: ${first.message}`;
  const problems = others.length === 0 ? '' : `${count(others.length + 1)} problems, the first: `;
  return problems + describeCause(first);
}

function describeCause({ paths, message }: CauseGroup): string {
  if (paths.length === 0) return message;
  return `${paths.length === 1 ? paths[0] : plural(paths.length, 'file')}: ${message}`;
}

const MAX_NAMED = 3;

/** What the reader can do, most useful first. */
export function nextSteps(facts: HeadlineFacts): readonly string[] {
  const fixes = [...new Set(facts.causes.map(({ fix }) => fix))];
  const advice =
    fixes.length > 1
      ? ['Each problem below says what to do, and who can do it.']
      : fixes.flatMap((fix) => fix.split('\n'));
  switch (facts.verdict) {
    case 'fail':
      return [changeStep(facts), dismissStep(facts), ...advice];
    case 'error':
    case 'skipped':
      return advice;
    case 'pass':
      return facts.mode === 'sandbox'
        ? [forActor('To have the files analysed, use a live key (`sk_live_…`).', 'workflow owner')]
        : [];
  }
}

function changeStep(facts: HeadlineFacts): string {
  const paths = failingAssets(facts).flatMap((asset) => asset.paths.map((path) => `\`${path}\``));
  const cost = facts.keepsState ? ' Only changed files are sent and billed.' : '';
  return forActor(`Change or replace ${formatList(paths, MAX_NAMED)} and push.${cost}`, 'author');
}

function dismissStep({ serviceHost, waiversFile, keepsState }: HeadlineFacts): string {
  const where = serviceHost === undefined ? '' : ` (\`${serviceHost}\`)`;
  const waiver = waiversFile === undefined ? '' : `, or ask the owners of \`${waiversFile}\` for a waiver,`;
  const cost = keepsState ? ', which costs nothing' : '';
  return `Anyone with access to the service: If it is not a problem, dismiss the issue in the service${where}${waiver} and re-run this job${cost}.`;
}
