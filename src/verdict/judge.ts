import { type Cause, forOwner, type Reason } from '../causes/cause.ts';
import type { Findings } from '../findings.ts';
import type { Policy } from '../inputs/parse.ts';
import type { PlannedContent } from '../plan/plan.ts';
import { type Analysis, about } from '../service/analysis.ts';
import { unreadIssues } from '../service/issue.ts';
import type { AnalysedRecord } from '../state/document.ts';
import { indexBaseline, type JudgedIssue, judgeIssues } from './judge-issues.ts';

export interface Verdict {
  readonly name: 'pass' | 'fail' | 'error' | 'skipped';
  /** Empty if the verdict is `pass`. */
  readonly reason: Reason | '';
  readonly isPassing: boolean;
  /** Why files could not be judged, or why nothing was checked. */
  readonly causes: readonly Cause[];
  /** Every content that the run planned to judge. */
  readonly contents: readonly JudgedContent[];
}

export interface JudgedContent extends PlannedContent {
  /** Undefined if the run ended before it had an analysis of the content. */
  readonly analysis: Analysis | undefined;
  /** A content that this run could not read is judged by what is known about it. */
  readonly outcome: Exclude<Analysis['outcome'], 'unread'>;
  /** The earlier analysis whose issues count, because this run has read no newer results. Otherwise undefined. */
  readonly lastKnown: AnalysedRecord | undefined;
  /** Most severe first. */
  readonly issues: readonly JudgedIssue[];
}

/** Judges the findings, even of an interrupted run. The order of precedence is `fail`, `skipped`, `error`, `pass`. */
export function judge(found: Findings, policy: Policy): Verdict {
  const contents = judgeContents(found, policy);
  const causes = causesOfError(found, contents);
  if (contents.some(({ issues }) => issues.some(({ failsGate }) => failsGate))) {
    return { name: 'fail', reason: 'issues', isPassing: false, causes, contents };
  }
  if (found.skipped) {
    const { cause, problems = [] } = found.skipped;
    return { name: 'skipped', reason: cause.reason, isPassing: true, causes: [...problems, cause], contents };
  }
  const [first] = causes;
  if (!first) return { name: 'pass', reason: '', isPassing: true, causes, contents };
  const unforgivable = causes.find((cause) => !isServiceFault(cause));
  const isForgiven = policy.onServiceError === 'warn' && !unforgivable && !found.isCancelled;
  return { name: 'error', reason: (unforgivable ?? first).reason, isPassing: isForgiven, causes, contents };
}

/** Whether the cause is an outage, a rate limit or a timeout. Only these pass with `on-service-error: warn`. */
function isServiceFault({ reason }: Pick<Cause, 'reason'>): boolean {
  return reason === 'service' || reason === 'timeout';
}

/** The issues of an earlier analysis count until a run reads newer results, but not in a skipped or cancelled run. */
function judgeContents(found: Findings, policy: Policy): readonly JudgedContent[] {
  const { plan, analyses, history, waivers } = found;
  const isChecking = !found.skipped && !found.isCancelled;
  const bySha = Map.groupBy(analyses, ({ content }) => content.sha256);
  const { comparison } = history;
  const document = comparison?.baseline;
  const baseline = document && indexBaseline(document, comparison?.with === 'own branch', policy);
  return plan.contents.map((planned) => {
    const { content, earlier } = planned;
    const all = bySha.get(content.sha256) ?? [];
    const analysis = all.at(-1);
    const { outcome: read = 'unjudged' } = analysis ?? {};
    // What was read of other submissions counts, unless the file was sent after them and is judged.
    const counting = read === 'judged' && planned.source.kind === 'sent' ? all.slice(-1) : all;
    const lastKnown = isChecking && read !== 'judged' ? earlier : undefined;
    const outcome = read === 'unread' ? (lastKnown ? 'judged' : 'unjudged') : read;
    const readIssues = counting.flatMap(({ issues }) => issues);
    const known = lastKnown && { ...lastKnown, issues: unreadIssues(lastKnown.issues, readIssues) };
    const issues = judgeIssues(content, known ? [...counting, known] : counting, { ...policy, baseline, waivers });
    return { ...planned, analysis, outcome, lastKnown, issues };
  });
}

/** The ids of the issues that a waiver covers, read in this run or known from an earlier one. */
export function waivedIds(found: Findings, policy: Policy): readonly string[] {
  const issues = judgeContents(found, policy).flatMap((content) => content.issues);
  return issues.filter(({ waiver }) => waiver).map(({ id }) => id);
}

/** Returns each cause once, because one cause can apply to many files. */
function causesOfError({ causes: early }: Findings, contents: readonly JudgedContent[]): readonly Cause[] {
  const unjudged = contents.filter(({ outcome }) => outcome !== 'judged');
  const ofFiles = unjudged.flatMap(({ content, analysis }) => {
    const causes = analysis?.causes ?? [];
    const isExplained = early.length > 0 || causes.length > 0;
    // The gate fails closed: a content without a judged analysis never passes, even if no step gave a reason.
    return isExplained ? causes : about(content, UNEXPLAINED);
  });
  return [...new Set([...early, ...ofFiles])];
}

const UNEXPLAINED = forOwner(
  'internal',
  'The file was not judged, and no step reported why.',
  'This is a defect of the action: please report it.',
);
