import * as v from 'valibot';
import { completedEvent, failedEvent } from './analysis.ts';
import { type Answer, json, refusal } from './answer.ts';
import { type Call, validated } from './call.ts';

const FireRequest = v.strictObject({
  eventType: v.picklist(['asset.processing.completed', 'asset.processing.failed']),
  submissionId: v.pipe(v.string(), v.uuid()),
  errorMessage: v.exactOptional(v.string()),
});

/** Sends one event per asset to every subscriber. The submission itself does not change. */
export async function fireEvent({ workspace, body }: Call): Promise<Answer> {
  const { eventType, submissionId, errorMessage } = validated(FireRequest, body.json);
  const submission = workspace.submission(submissionId);
  if (submission === undefined) throw refusal(404, `There is no submission ${submissionId} in this workspace.`);
  const events = submission.assets.map((asset) =>
    eventType === 'asset.processing.failed'
      ? failedEvent(workspace, submission, asset, errorMessage ?? 'Sandbox simulated failure')
      : completedEvent(workspace, submission, asset),
  );
  const counts = await Promise.all(events.map(async (event) => workspace.events.dispatch(event)));
  return json(200, { dispatched: counts.reduce((sum, count) => sum + count, 0) });
}
