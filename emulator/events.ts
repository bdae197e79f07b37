import * as v from 'valibot';
import { type HttpResponse, json, validated } from './http.ts';
import type { Call } from './workspace.ts';

const FireRequest = v.strictObject({
  eventType: v.picklist(['asset.processing.completed', 'asset.processing.failed']),
  submissionId: v.pipe(v.string(), v.uuid()),
  errorMessage: v.exactOptional(v.string()),
});

/** Fires an event that nobody gets: a workspace of the emulator has no subscriptions. */
export function fireEvent({ workspace, body }: Call): HttpResponse {
  const { submissionId } = validated(FireRequest, body.json);
  workspace.existingSubmission(submissionId);
  return json(200, { dispatched: 0 });
}
