import { randomUUID } from 'node:crypto';
import type { Asset, Status, Submission } from './model.ts';
import { type Issue, type IssueSpec, ruleFor } from './scenario.ts';
import type { Workspace } from './workspace.ts';

/** Maximum retries of one asset. The interface does not show how many there are. */
export const MAX_RETRIES = 3;

/**
 * Starts the analysis of an asset, which takes as long as the scenario says. The sandbox analyses nothing and waits
 * `delaySeconds`. An analysis of 0 ms has ended when this function returns, so that the first read depends on no timer.
 */
export function beginAnalysis(workspace: Workspace, submission: Submission, asset: Asset, delaySeconds: number): void {
  const rule = ruleFor(workspace.scenario, asset.filename);
  const sandbox = workspace.mode === 'sandbox';
  const ms = sandbox ? delaySeconds * 1000 : rule.ms;
  const pending = { due: ms === 0, readsLeft: sandbox ? 0 : rule.reads };
  asset.status = 'processing';
  asset.pending = pending;
  if (ms > 0) {
    workspace.after(ms, () => {
      pending.due = true;
      finishIfReady(workspace, submission, asset);
    });
  }
  finishIfReady(workspace, submission, asset);
}

/** Counts a read of the submission: a scenario can let an analysis end after some reads. */
export function noteRead(workspace: Workspace, submission: Submission): void {
  submission.reads += 1;
  for (const asset of submission.assets) noteAssetRead(workspace, submission, asset);
}

export function noteAssetRead(workspace: Workspace, submission: Submission, asset: Asset): void {
  if (asset.pending !== undefined && asset.pending.readsLeft > 0) asset.pending.readsLeft -= 1;
  else finishIfReady(workspace, submission, asset);
}

export function statusOf(submission: Submission): Status {
  if (submission.assets.some((asset) => asset.pending !== undefined)) return 'processing';
  return submission.assets.some(({ status }) => status === 'failed') ? 'failed' : 'complete';
}

function finishIfReady(workspace: Workspace, submission: Submission, asset: Asset): void {
  if (asset.pending === undefined || !asset.pending.due || asset.pending.readsLeft > 0) return;
  asset.pending = undefined;
  asset.completedAt = new Date().toISOString();
  if (workspace.mode === 'sandbox') {
    asset.status = 'complete';
    return;
  }
  const { fails, issues } = ruleFor(workspace.scenario, asset.filename);
  if (fails !== undefined && asset.failures < (fails.times ?? Infinity)) {
    asset.status = 'failed';
    asset.failures += 1;
    asset.failure = {
      errorType: fails.errorType,
      errorMessage: fails.errorMessage,
      isRetryable: fails.isRetryable && asset.retryCount < MAX_RETRIES,
    };
  } else {
    asset.status = 'complete';
    asset.issues = findIssues(issues, submission.sidekickIds, () => workspace.nextReferenceNumber());
    asset.issueCount = asset.issues.length;
  }
}

/** The sidekick that raises issues if neither scenario nor submission names one. */
const DEFAULT_SIDEKICK = '5ec0de00-0000-4000-8000-000000000001';

const PRECEDENT = {
  url: 'https://rulings.example/2024/117',
  title: 'Claim without evidence in a product film',
  decision: 'Upheld',
  date: '2024-03-14',
};

/** The issues an analysis finds: those of the sidekicks that ran (`undefined`: all), with every field filled in. */
function findIssues(
  specs: readonly IssueSpec[],
  ran: readonly string[] | undefined,
  nextReferenceNumber: () => number,
): readonly Issue[] {
  const now = new Date().toISOString();
  return specs
    .filter(
      (spec) => ran === undefined || (spec.sidekickId === undefined ? ran.length > 0 : ran.includes(spec.sidekickId)),
    )
    .map((spec) => ({
      id: randomUUID(),
      summary: 'The claim is not backed by evidence.',
      severity: 'MAJOR',
      status: 'OPEN',
      createdAt: now,
      updatedAt: now,
      referenceNumber: nextReferenceNumber(),
      ruleCode: 'CLAIM-01',
      sidekickId: ran?.[0] ?? DEFAULT_SIDEKICK,
      severityReasoning: 'The claim is central to the message and nothing in the asset supports it.',
      severityReasoningHeadline: 'Central claim without support',
      precedents: [PRECEDENT],
      ...spec,
    }));
}
