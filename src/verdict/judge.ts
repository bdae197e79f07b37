import type { Policy } from '../inputs/inputs.ts';
import type { Cause, Reason } from '../lib/cause.ts';
import type { Content } from '../media/content.ts';
import type { Plan } from '../plan/plan.ts';
import type { ContentResult } from '../service/asset-outcome.ts';
import { type JudgedIssue, judgeIssues } from './judge-issues.ts';
import type { Outcome } from './outcome.ts';
import { type Facts, factsOf } from './progress.ts';

export type VerdictName = 'pass' | 'fail' | 'error' | 'skipped';

export interface Verdict {
  readonly name: VerdictName;
  /** Empty on a pass. */
  readonly reason: Reason | '';
  /** Whether the check passes. */
  readonly isPassing: boolean;
  /** Why something could not be judged, or why nothing was checked. */
  readonly causes: readonly Cause[];
  /** Everything that the run planned to judge. */
  readonly contents: readonly JudgedContent[];
}

export interface JudgedContent {
  readonly content: Content;
  /** Undefined if the run ended before there was one. */
  readonly result: ContentResult | undefined;
  /** Most severe first. */
  readonly issues: readonly JudgedIssue[];
}

/** Judges whatever the run found. `fail` beats `error` beats `pass`. */
export function judge(outcome: Outcome, policy: Policy): Verdict {
  const facts = factsOf(outcome.progress);
  const contents = judgeContents(facts, policy);
  if (contents.some(({ issues }) => issues.some(({ failsGate }) => failsGate))) {
    return { name: 'fail', reason: 'issues', isPassing: false, causes: causesOf(outcome, facts, contents), contents };
  }
  if (outcome.ending.kind === 'skipped') {
    const { cause } = outcome.ending;
    return { name: 'skipped', reason: cause.reason, isPassing: true, causes: [cause], contents };
  }
  const causes = causesOf(outcome, facts, contents);
  const [first] = causes;
  if (!first) return { name: 'pass', reason: '', isPassing: true, causes, contents };
  const unforgivable = causes.find((cause) => !isServiceFault(cause));
  const isForgiven = policy.onServiceError === 'warn' && !unforgivable && outcome.ending.kind !== 'cancelled';
  return { name: 'error', reason: (unforgivable ?? first).reason, isPassing: isForgiven, causes, contents };
}

/** Only the service's own failures: the author of a pull request could cause every other one. */
function isServiceFault({ reason }: Cause): boolean {
  return reason === 'service' || reason === 'timeout';
}

function judgeContents(facts: Facts, policy: Policy): readonly JudgedContent[] {
  const { plan, reused, analysed, history, waivers } = facts;
  if (!plan) return [];
  const results = new Map([...reused, ...analysed].map((result) => [result.content.sha256, result]));
  const rules = { ...policy, baseline: history.baseline, waivers };
  return plannedContents(plan).map((content) => {
    const result = results.get(content.sha256);
    return { content, result, issues: judgeIssues(result?.issues ?? [], content, rules) };
  });
}

function plannedContents(plan: Plan): readonly Content[] {
  return [
    ...plan.toSubmit.map(({ content }) => content),
    ...plan.toAwait.flatMap(({ contents }) => contents),
    ...plan.toReuse.map(({ content }) => content),
  ];
}

function causesOf({ ending }: Outcome, facts: Facts, contents: readonly JudgedContent[]): readonly Cause[] {
  const causes = [
    ...('causes' in ending ? ending.causes : []),
    ...facts.waited.map(({ interruptedBy }) => interruptedBy).filter((cause) => cause !== undefined),
    ...[...facts.reused, ...facts.analysed].flatMap((result) => result.causes),
  ];
  // The gate fails closed: a content without a judged result never passes, even if no step gave a reason.
  return causes.length > 0 ? causes : contents.filter(({ result }) => result?.outcome !== 'judged').map(unexplained);
}

function unexplained({ content: { paths } }: JudgedContent): Cause {
  const [path] = paths;
  return {
    reason: 'internal',
    message: 'The file was not judged, and no step reported why.',
    fix: 'This is a defect of the action. Re-run the job and please report it.',
    ...(path !== undefined && { path }),
  };
}
