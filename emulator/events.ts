import * as v from 'valibot';
import { type HttpResponse, json, validated } from './http.ts';
import type { Asset, Submission, WebhookEvent } from './model.ts';
import type { Call, Workspace } from './workspace.ts';

/** The response to a fired event waits for all deliveries, so each one has a limit. */
const MAX_DELIVERY_MS = 10_000;

const FireRequest = v.strictObject({
  eventType: v.picklist(['asset.processing.completed', 'asset.processing.failed']),
  submissionId: v.pipe(v.string(), v.uuid()),
  errorMessage: v.exactOptional(v.string()),
});

/** Sends one event per asset to every subscriber. The submission itself does not change. */
export async function fireEvent({ workspace, body }: Call): Promise<HttpResponse> {
  const { eventType, submissionId, errorMessage = 'Sandbox simulated failure' } = validated(FireRequest, body.json);
  const submission = workspace.existingSubmission(submissionId);
  const failure = eventType === 'asset.processing.failed' ? errorMessage : undefined;
  const counts = await Promise.all(
    submission.assets.map(async (asset) => sendEvent(workspace, submission, asset, failure)),
  );
  return json(200, { dispatched: counts.reduce((sum, count) => sum + count, 0) });
}

/** Sends the event of an asset that is complete (`undefined`), or failed with this message. Returns how many subscribers it has. */
export async function sendEvent(
  workspace: Workspace,
  { submissionId }: Submission,
  { assetId, issueCount }: Asset,
  failure: string | null | undefined,
): Promise<number> {
  const ids = { asset_id: assetId, submission_id: submissionId, workspace_id: workspace.id };
  const event: WebhookEvent =
    failure === undefined
      ? { type: 'asset.processing.completed', data: { ...ids, status: 'complete', issue_count: issueCount } }
      : { type: 'asset.processing.failed', data: { ...ids, status: 'failed', error_message: failure } };
  await Promise.all(workspace.subscribers.map(async (url) => deliver(workspace, url, event)));
  return workspace.subscribers.length;
}

/** Never throws: a subscriber that cannot be reached is counted as well. */
async function deliver(workspace: Workspace, url: string, event: WebhookEvent): Promise<void> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(event),
      redirect: 'manual',
      signal: AbortSignal.any([workspace.stopped, AbortSignal.timeout(MAX_DELIVERY_MS)]),
    });
    await response.body?.cancel();
  } catch {
    // The service does not report it either.
  }
}
