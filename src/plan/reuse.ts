import type { Cause } from '../lib/cause.ts';
import { type Analysis, about, stepsAfterFailure } from '../service/analysis.ts';
import { topicsFor } from '../service/issue.ts';
import { analysisId, type FailedRecord } from '../state/document.ts';
import { type Plan, withSource } from './plan.ts';
import { canFail, type QueryOptions } from './query.ts';
import type { EarlierResponses } from './record-status.ts';

/**
 * Reads the issues of reused analyses again, because people may have dismissed or re-opened an issue: a re-run can then
 * pass or fail at no cost.
 */
export async function readReused(plan: Plan, options: QueryOptions): Promise<readonly Analysis[]> {
  const { reader, deadline } = options;
  const reused = withSource(plan, 'reused');
  const groups = Map.groupBy(reused, ({ source }) => source.record.submissionId);
  const needed = [...groups].map(([submissionId, group]) => ({
    submissionId,
    contents: [],
    reused: group.map(({ content, source }) => ({ content, earlier: source.record })),
  }));
  const results = await reader.read(needed, {
    deadline,
    isWaiting: false,
    // If the issue count is unknown or has changed, the asset may have a new issue that changes the verdict.
    isUrgent: ({ earlier, issueCount }) =>
      canFail(earlier?.issues ?? [], options) || issueCount !== earlier?.issues.length,
  });
  const topics = new Map(reused.map(({ content, source }) => [content.sha256, source.record.topics ?? []]));
  return results
    .flatMap(({ analyses }) => analyses)
    .map((each) => ({ ...each, topics: topicsFor(each.issues, topics.get(each.content.sha256) ?? []) }));
}

/** Shows saved failures again, with the messages that this run has read about them, if any. */
export function earlierFailures(plan: Plan, { files }: EarlierResponses, isSandbox: boolean): readonly Analysis[] {
  return withSource(plan, 'failed').map(({ content, source: { record } }) => {
    const { submissionId } = record;
    const read = files.get(analysisId(record))?.analysis;
    const cause = explainEarlierFailure(record, isSandbox, read?.isFailedForGood ? read.causes[0] : undefined);
    const causes = [about(content, cause)];
    return { content, outcome: 'failed', isFailedForGood: true, issues: [], topics: [], submissionId, causes };
  });
}

/** Says why the file failed, and what makes the gate send it again. @param read the failure as this run has read it */
function explainEarlierFailure({ submissionId, at, message }: FailedRecord, isSandbox: boolean, read?: Cause): Cause {
  const isFileToBlame = read?.steps.some(({ actor }) => actor === 'author') ?? true;
  const cost = isSandbox ? '' : ', so nothing was billed';
  return {
    reason: 'asset-failed',
    message: `${read?.message ?? message} That was on ${at.slice(0, 10)}. The file was not sent again${cost}. A re-run of this job, other bytes or \`reuse-days: 0\` send it again.`,
    steps: stepsAfterFailure({ isForGood: true, isFileToBlame, isSandbox }),
    submissionId,
  };
}
