import { hashSidekicks, makePlan } from '../plan/plan.ts';
import { Baseline, missingBaselineNotice } from '../verdict/baseline.ts';
import type { HistoryLoaded, Inspected } from '../verdict/progress.ts';
import type { Environment } from './environment.ts';

/** inspect → history: what earlier runs analysed, and the baseline. */
export async function loadHistory(
  inspected: Inspected,
  { inputs, context, store }: Environment,
): Promise<HistoryLoaded> {
  const { failOnIssues } = inputs.policy;
  const rules = {
    repositoryId: context.repositoryId,
    reuseDays: inputs.reuseDays,
    sidekicks: hashSidekicks(inputs.sidekickIds),
    now: new Date(),
  };
  const loaded = await store.load({
    canReuse: inputs.reuseDays > 0 && !inputs.dryRun,
    hasBaseline: failOnIssues === 'new' && context.baseBranch !== undefined,
    isEnough: (earlierState) => {
      const draft = makePlan({ ...inspected.inspection, earlierState, rules });
      // What is open in one state may be analysed in another.
      return draft.toSubmit.length + draft.toAwait.length + draft.unknownPointers.length === 0;
    },
  });
  const isBaselineMissing = failOnIssues === 'new' && !loaded.baseline;
  const missingBaseline = isBaselineMissing ? [missingBaselineNotice(context)] : [];
  const notices = [...inspected.notices, ...loaded.notices, ...missingBaseline];
  const history = {
    earlierState: loaded.earlierState,
    baseline: loaded.baseline && new Baseline(loaded.baseline),
    isStateLost: loaded.isLost,
  };
  return { ...inspected, stage: 'history-loaded', notices, history, rules };
}
