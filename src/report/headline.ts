import type { Cause } from '../lib/cause.ts';
import { count, formatList, plural } from '../lib/format.ts';
import { SEVERITIES } from '../service/issue.ts';
import { countFiles, day, forActor, haveFailedAlike } from './phrases.ts';
import type { Report } from './report.ts';

/** What the first sentence of every report depends on. */
export type HeadlineFacts = Pick<
  Report,
  'verdict' | 'isPassing' | 'mode' | 'lastKnown' | 'causes' | 'counts' | 'assets'
> & {
  /** Whether a later run can reuse the results of this one. */
  readonly keepsState: boolean;
  readonly waiversFile: string | undefined;
  /** Where people look at the issues of the service. */
  readonly serviceHost: string | undefined;
};

/** The reason for the verdict, in one sentence. An id says nothing to a reader who only wants to know what happened. */
export function headline(facts: HeadlineFacts): string {
  return reasonOf(facts).replaceAll(IDS, '');
}

const IDS = / ?\(?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?:, [\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})*\)?/gi;

function reasonOf(facts: HeadlineFacts): string {
  switch (facts.verdict) {
    case 'fail':
      return failing(facts) + fromMemory(facts);
    case 'error':
      return troubled(facts) + (facts.isPassing ? ' (the check passes because of `on-service-error: warn`)' : '');
    case 'skipped':
      return facts.causes[0]?.message ?? 'nothing was checked';
    case 'pass':
      return passed(facts) + fromMemory(facts);
  }
}

function failing({ assets, counts }: HeadlineFacts): string {
  const failingIssues = assets.flatMap(({ issues }) => issues).filter(({ failsGate }) => failsGate);
  const bySeverity = SEVERITIES.map((severity) => ({
    severity,
    number: failingIssues.filter((issue) => issue.severity === severity).length,
  }))
    .filter(({ number }) => number > 0)
    .map(({ severity, number }) => `${count(number)} ${severity}`);
  const files = countFiles(assets.filter(({ issues }) => issues.some(({ failsGate }) => failsGate)));
  const unjudged = countFiles(assets.filter(({ outcome }) => outcome !== 'judged'));
  const also = unjudged > 0 ? `; ${plural(unjudged, 'file')} could not be judged at all` : '';
  return `${bySeverity.join(', ')} ${counts.failing === 1 ? 'issue' : 'issues'} in ${count(files)} of ${plural(counts.filesMatched, 'file')}${also}`;
}

function troubled({ causes, assets, counts }: HeadlineFacts): string {
  const [first] = causes;
  if (!first) return 'something could not be judged';
  if (causes.length === 1) return sentence(first);
  if (haveFailedAlike(causes, assets.length))
    return `All ${count(counts.filesMatched)} files failed alike, so it is probably the service: ${first.message}`;
  if (causes.every(({ message, path }) => message === first.message && path !== undefined)) {
    return `${plural(causes.length, 'file')}: ${first.message}`;
  }
  const isAll = (reason: Cause['reason']): boolean => causes.every((cause) => cause.reason === reason);
  if (isAll('bad-input') && causes.every(({ path }) => path === undefined))
    return `${count(causes.length)} inputs have values that are not allowed`;
  const blamed = new Set(causes.map(({ path }) => path));
  if (isAll('bad-input') && blamed.size === 1) return `${first.path} has ${count(causes.length)} problems`;
  if (blamed.has(undefined) || blamed.size === 1) {
    return `${count(causes.length)} problems, the first: ${sentence(first)}`;
  }
  if (isAll('pre-flight')) {
    return `${count(blamed.size)} of ${count(counts.filesMatched)} files cannot be sent, so nothing was sent`;
  }
  if (isAll('refused') && assets.every(({ source }) => source === 'not-sent')) {
    return `The service refused ${count(blamed.size)} files, so none of the ${count(counts.filesMatched)} was submitted`;
  }
  // A cause names one path of a content; its copies were not judged either.
  const copies = assets.map(({ paths }) => paths).filter((paths) => paths.some((path) => blamed.has(path)));
  const files = blamed.union(new Set(copies.flat())).size;
  return isAll('asset-failed')
    ? `The service could not analyse ${count(files)} of ${count(counts.filesMatched)} files`
    : `${count(files)} files could not be judged`;
}

function sentence({ path, message }: Cause): string {
  return path === undefined ? message : `${path}: ${message}`;
}

function passed({ counts, mode }: HeadlineFacts): string {
  const files = plural(counts.filesMatched, 'file');
  if (mode === 'sandbox') return `${files} went through the sandbox: nothing was analysed`;
  if (counts.issues === 0) return `${files} checked, no active issues${accepted(counts)}`;
  return `${files} checked, ${plural(counts.issues, 'active issue')}, none that stops the check${accepted(counts)}`;
}

/** Issues that would have counted if they had not been accepted. */
function accepted({ waived, known }: HeadlineFacts['counts']): string {
  return [
    ...(waived > 0 ? [`; ${plural(waived, 'issue')} waived`] : []),
    ...(known > 0 ? [`; ${plural(known, 'issue')} known from the base branch`] : []),
  ].join('');
}

function fromMemory({ lastKnown }: HeadlineFacts): string {
  return lastKnown ? `, as known on ${day(lastKnown.since)}: the service did not answer today` : '';
}

const MAX_NAMED = 3;

/** "campaign/hero.mp4 and 2 more" */
function failingFiles({ assets }: HeadlineFacts): string {
  const paths = assets
    .filter(({ issues }) => issues.some(({ failsGate }) => failsGate))
    .flatMap((asset) => asset.paths);
  return formatList(
    paths.map((path) => `\`${path}\``),
    MAX_NAMED,
  );
}

/** Only if the team uses waivers. */
function waiverStep({ assets, waiversFile }: HeadlineFacts): readonly string[] {
  if (waiversFile === undefined) return [];
  const failing = assets.flatMap(({ issues }) => issues).filter(({ failsGate }) => failsGate);
  const rules = [...new Set(failing.map(({ ruleCode }) => ruleCode))];
  const named = formatList(
    rules.map((rule) => `\`${rule}\``),
    MAX_NAMED,
  );
  return [
    `To accept the issue, ask the owners of \`${waiversFile}\` for a waiver of ${named}. In a pull request, the file on the base branch counts.`,
  ];
}

/** Causes that a change in the repository removes. */
const IN_REPOSITORY: readonly Cause['reason'][] = ['bad-input', 'pre-flight', 'refused', 'checkout', 'no-files'];

function afterwards(causes: readonly Cause[]): string {
  return causes.every(({ reason }) => IN_REPOSITORY.includes(reason)) ? ' Then commit and push.' : '';
}

function dismissedWhere({ serviceHost }: HeadlineFacts): string {
  return serviceHost === undefined ? 'in the service' : `in the service (\`${serviceHost}\`)`;
}

/** What the reader can do, most useful first. */
export function nextSteps(facts: HeadlineFacts): readonly string[] {
  const fixes = [...new Set(facts.causes.map(({ fix }) => fix))];
  const askAgain = facts.lastKnown
    ? [
        forActor(
          'Re-run this job when the service answers again: it reads the current statuses and uploads nothing.',
          'author',
        ),
      ]
    : [];
  switch (facts.verdict) {
    case 'fail':
      return [
        forActor(
          `Change or replace ${failingFiles(facts)} and push.${facts.keepsState ? ' Only changed files are sent and billed.' : ''}`,
          'author',
        ),
        `If it is not a problem, dismiss the issue ${dismissedWhere(facts)} and re-run this job${facts.keepsState ? ', which costs nothing' : ''}. (For anyone with access to the service.)`,
        ...waiverStep(facts),
        ...askAgain,
        ...fixes,
      ];
    case 'error':
      return fixes.length > 1 ? [`Each row of the table below says what to do.${afterwards(facts.causes)}`] : fixes;
    case 'skipped':
      return fixes;
    case 'pass':
      return facts.mode === 'sandbox'
        ? [forActor('To have the files analysed, use a live key (`sk_live_…`).', 'workflow owner')]
        : askAgain;
  }
}
