import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Workspace } from '../../emulator/emulator.ts';
import { type Endpoint, type Handler, json } from '../../emulator/http.ts';

/** How a service that keeps to the interface may differ from the emulator: a handler before it. */
export interface Manner {
  readonly handler: (service: Workspace) => Handler;
}

/** A response is JSON of any form, and a manner may make anything of it. */
type Json = ReturnType<typeof JSON.parse>;

/** Changes each value of a field, at any depth, in the successes of these endpoints, by default of all. */
export function rewriteField(name: string, change: (value: Json) => unknown, ...on: readonly Endpoint[]): Manner {
  return {
    handler: () => async (request, respond) => {
      const response = await respond();
      const isMeant = request.server === 'service' && (on.length === 0 || on.some((each) => each === request.endpoint));
      if (!isMeant || response.status >= 300) return response;
      const body: Json = JSON.parse(response.body, (key, value) => (key === name ? change(value) : value));
      return json(response.status, body, response.headers);
    },
  };
}

/** A retry goes on in a new submission, and the asset of the old one stays failed. */
export const retryInNewSubmission: Manner = {
  handler: (service) => async (request, respond) => {
    const response = await respond();
    if (request.endpoint !== 'assets/retry' || response.status >= 300) return response;
    const body: Json = JSON.parse(response.body);
    const { submission, asset } = service.existingAsset([body.submissionId, body.assets[0].assetId]);
    const next = { ...asset, assetId: randomUUID() };
    const failure = { errorType: 'ANALYSIS_ERROR', errorMessage: 'It goes on elsewhere.', isRetryable: false };
    Object.assign(asset, { status: 'failed', pending: undefined, issues: [], issueCount: null, failure });
    body.submissionId = randomUUID();
    body.assets[0].assetId = next.assetId;
    service.add({ ...submission, submissionId: body.submissionId, assets: [next], creditsSpent: 0, reads: 0 });
    return json(response.status, body);
  },
};

/** Accepts links to earlier versions, and makes every asset a first version. */
export const noLinks = rewriteField('versionNumber', () => 1);

export function slowly(endpoint: Endpoint, ms: number): Manner {
  return {
    handler: () => async (request, respond) => {
      const response = await respond();
      if (request.endpoint === endpoint) await sleep(ms);
      return response;
    },
  };
}
