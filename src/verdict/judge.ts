import { type Cause, forOwner, type Reason } from '../causes/cause.ts';
import type { Findings } from '../findings.ts';
import type { Policy } from '../inputs/parse.ts';
import { decisive, idOf, type PlannedContent } from '../plan/plan.ts';
import { type Analysis, isJudged, type Outcome } from '../service/analysis.ts';
import { type AnalysedRecord, analysisId, type ContentRecord, isAnalysed } from '../state/document.ts';
import type { RunResults } from '../state/merge.ts';
import { indexBaseline, type JudgedIssue, judgeIssues, keysOf } from './judge-issues.ts';

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
  /** Of what this run has read about the content, the analysis that decides. Undefined if it has read none. */
  readonly analysis: Analysis | undefined;
  /** `unread` if the run ended before it had an analysis. */
  readonly outcome: Outcome;
  /** The last known analysis, if its issues count because this run has read no newer result. */
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
    const { cause } = found.skipped;
    return { name: 'skipped', reason: cause.reason, isPassing: true, causes: [...found.causes, cause], contents };
  }
  const [first] = causes;
  if (!first) return { name: 'pass', reason: '', isPassing: true, causes, contents };
  // Only an outage, a rate limit and a timeout can be forgiven.
  const unforgivable = causes.find(({ reason }) => reason !== 'service' && reason !== 'timeout');
  // The service must have reported nothing against the files: a pull request could cause an outage of its own files.
  const isSuspicious = contentResults(found).some(({ counting }) => counting.some((each) => each.isSuspicious));
  const isForgiven = policy.onServiceError === 'warn' && !unforgivable && !isSuspicious && !found.isCancelled;
  return { name: 'error', reason: (unforgivable ?? first).reason, isPassing: isForgiven, causes, contents };
}

/**
 * What this run has read about each content: the analysis that decides, those whose issues count, newest first, and the last
 * known one, unless there is a newer result.
 */
function contentResults({ plan, analyses, sent }: Pick<Findings, 'plan' | 'analyses' | 'sent'>) {
  const byId = new Map(analyses.map((each) => [idOf(each), each]));
  const analysesOf = (records: readonly ContentRecord[]): readonly Analysis[] =>
    records.flatMap((record) => byId.get(analysisId(record)) ?? []);
  const sentBySha = Map.groupBy(sent.toReversed(), ({ sha256 }) => sha256);
  return plan.contents.map((planned) => {
    const { content, records, source } = planned;
    const sentNow = sentBySha.get(content.sha256) ?? [];
    // What is older than the plan's choice cannot decide: with `reuse-days: 0` a newer analysis was asked for.
    const chosen = source.kind === 'sent' ? [] : records.slice(0, records.indexOf(source.record) + 1);
    const analysis = decisive(analysesOf([...sentNow, ...chosen]));
    const newestFirst = analysesOf([...sentNow, ...records]);
    const isResult = analysis?.outcome === 'result';
    return {
      planned,
      analysis,
      counting: isResult ? newestFirst.slice(0, newestFirst.indexOf(analysis) + 1) : newestFirst,
      lastKnown: isResult ? undefined : records.find(isAnalysed),
    };
  });
}

/** The contents of a run, each with the submission of the issues that count, for the state. */
export function countedContents(found: Pick<Findings, 'plan' | 'analyses' | 'sent'>): RunResults['contents'] {
  return contentResults(found).map(({ planned: { content }, analysis, lastKnown }) => {
    const counted = analysis?.outcome === 'result' ? analysis : lastKnown;
    return { content, counted: counted?.submissionId };
  });
}

/** The last known issues count until a run reads newer results, but not in a skipped or cancelled run. */
function judgeContents(found: Findings, policy: Policy): readonly JudgedContent[] {
  const { history, waivers } = found;
  const isChecking = !found.skipped && !found.isCancelled;
  const contents = contentResults(found).map(({ planned, analysis, counting, lastKnown: known }) => {
    const lastKnown = isChecking ? known : undefined;
    return { planned, analysis, lastKnown, analyses: [...counting, ...(lastKnown ? [lastKnown] : [])] };
  });
  const keys = new Set(contents.flatMap(({ analyses }) => keysOf(analyses)));
  const baseline = history.baseline && indexBaseline(history.baseline, policy, keys);
  return contents.map(({ planned, analysis, lastKnown, analyses }) => {
    const issues = judgeIssues(planned.content, analyses, { ...policy, baseline, waivers });
    return { ...planned, analysis, outcome: analysis?.outcome ?? 'unread', lastKnown, issues };
  });
}

/** Returns each cause once, because one cause can apply to many files. */
function causesOfError({ causes: early }: Findings, contents: readonly JudgedContent[]): readonly Cause[] {
  const ofFiles = contents.flatMap((judged) => {
    const { content, analysis } = judged;
    if (isJudged(judged)) return [];
    const isExplained = early.length > 0 || analysis?.cause !== undefined;
    // The gate fails closed: a content without a judged analysis never passes, even if no step gave a reason.
    return isExplained ? (analysis?.cause ?? []) : { ...UNEXPLAINED, path: content.paths[0] };
  });
  return [...new Map([...early, ...ofFiles].map((cause) => [JSON.stringify(cause), cause])).values()];
}

const UNEXPLAINED = forOwner(
  'internal',
  'The file was not judged, and no step reported why.',
  'This is a defect of the action: please report it.',
);
