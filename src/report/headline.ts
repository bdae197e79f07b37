import type { Cause } from '../lib/cause.ts';
import { count, plural } from '../lib/format.ts';
import { SEVERITIES } from '../service/issue.ts';
import { countFiles, day } from './phrases.ts';
import type { Report } from './report.ts';

/** What the first sentence of every report rests on. */
export type Told = Pick<Report, 'verdict' | 'green' | 'mode' | 'lastKnown' | 'causes' | 'counts' | 'assets'> & {
  /** Whether a later run will know what this one learnt. */
  readonly keepsState: boolean;
  readonly waiversFile: string | undefined;
};

/** Why the verdict is what it is, in one sentence. */
export function headline(told: Told): string {
  switch (told.verdict) {
    case 'fail':
      return failing(told) + fromMemory(told);
    case 'error':
      return troubled(told) + (told.green ? ' (green because of `on-service-error: warn`)' : '');
    case 'skipped':
      return told.causes[0]?.message ?? 'nothing was checked';
    case 'pass':
      return passed(told) + fromMemory(told);
  }
}

function failing({ assets, counts }: Told): string {
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

function troubled({ causes, assets }: Told): string {
  const [first] = causes;
  if (!first) return 'something could not be judged';
  if (causes.length === 1) return sentence(first);
  const blamed = new Set(causes.map(({ path }) => path));
  if (!blamed.has(undefined) && blamed.size > 1) {
    // A cause names one path of a content; its copies were not judged either.
    const copies = assets.map(({ paths }) => paths).filter((paths) => paths.some((path) => blamed.has(path)));
    return `${count(blamed.union(new Set(copies.flat())).size)} files could not be judged`;
  }
  return `${count(causes.length)} problems, the first: ${sentence(first)}`;
}

function sentence({ path, message }: Cause): string {
  return path === undefined ? message : `${path}: ${message}`;
}

function passed({ counts, mode }: Told): string {
  const files = plural(counts.filesMatched, 'file');
  if (mode === 'sandbox') return `${files} went through the sandbox: nothing was analysed`;
  if (counts.issues === 0) return `${files} checked, no active issues${accepted(counts)}`;
  return `${files} checked, ${plural(counts.issues, 'active issue')}, none that stops the check${accepted(counts)}`;
}

/** What would have counted, had nobody accepted it. */
function accepted({ waived, known }: Told['counts']): string {
  return [
    ...(waived > 0 ? [`; ${plural(waived, 'issue')} waived`] : []),
    ...(known > 0 ? [`; ${plural(known, 'issue')} known from the base branch`] : []),
  ].join('');
}

function fromMemory({ lastKnown }: Told): string {
  return lastKnown ? `, as known on ${day(lastKnown.since)}: the service did not answer today` : '';
}

const MAX_NAMED = 3;

/** "campaign/hero.mp4 and 2 more files" */
function failingFiles({ assets }: Told): string {
  const paths = assets
    .filter(({ issues }) => issues.some(({ failsGate }) => failsGate))
    .flatMap((asset) => asset.paths);
  const named = paths.slice(0, MAX_NAMED).map((path) => `\`${path}\``);
  const more = paths.length - named.length;
  return named.join(', ') + (more > 0 ? ` and ${plural(more, 'more file')}` : '');
}

/** Only where the team keeps waivers at all. */
function waive({ assets, waiversFile }: Told): readonly string[] {
  if (waiversFile === undefined) return [];
  const failing = assets.flatMap(({ issues }) => issues).filter(({ failsGate }) => failsGate);
  const rules = [...new Set(failing.map(({ ruleCode }) => ruleCode))];
  const named = rules.slice(0, MAX_NAMED).map((rule) => `\`${rule}\``);
  const more = rules.length - named.length;
  return [
    `Accepted all the same? Whoever keeps \`${waiversFile}\` adds a waiver for ${named.join(', ')}${more > 0 ? ` and ${plural(more, 'more rule')}` : ''}. In a pull request the file of its base counts.`,
  ];
}

/** What the reader can do about it, most useful first. */
export function nextSteps(told: Told): readonly string[] {
  const fixes = [...new Set(told.causes.map(({ fix }) => fix))];
  const askAgain = told.lastKnown
    ? [
        'Re-run this job when the service is back: it then reads what was dismissed or re-opened, and sends nothing again.',
      ]
    : [];
  switch (told.verdict) {
    case 'fail':
      return [
        `Change or replace ${failingFiles(told)} and push.${told.keepsState ? ' Only changed files are sent and paid for again.' : ''}`,
        `Not a problem after all? Dismiss the issue in the service, then re-run this job${told.keepsState ? ': nothing is sent again, so it costs nothing' : ''}.`,
        ...waive(told),
        ...askAgain,
        ...fixes,
      ];
    case 'error':
      return told.causes.length > 1
        ? ['Each row of the table below says what to do. Then push, or re-run the job.']
        : fixes;
    case 'skipped':
      return fixes;
    case 'pass':
      return told.mode === 'sandbox'
        ? ['Use a live key (`sk_live_…`) where the check has to mean something.']
        : askAgain;
  }
}
