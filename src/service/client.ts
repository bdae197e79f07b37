import * as v from 'valibot';
import type { Log } from '../github/runner.ts';
import type { Http, Payload } from '../http/http.ts';
import { createHttp } from '../http/transport.ts';
import { messageOf, plural } from '../lib/format.ts';
import { secretsIn } from '../lib/secrets.ts';
import type { MediaFile } from '../media/file.ts';
import { ENDPOINTS, type Endpoint } from './endpoints.ts';
import { type RequesterOptions, ServiceRequester } from './requester.ts';
import {
  AssetResponse,
  CreationResponse,
  DirectUploadResponse,
  idKey,
  SubmissionResponse,
  UploadUrlResponse,
} from './responses.ts';
import { ServiceError } from './service-error.ts';
import { sendToStorage } from './storage.ts';
import type { Deadline } from './tries.ts';

/**
 * The modules of this folder, in the order in which a run uses them. Requests: `client`, `requester` (with `endpoints` and
 * `tries`), `responses`, `service-error` and `advice`. Sending: `upload`, `storage` and `submit`. Results: `reader` reads a
 * `submission` and each `asset` with its `issue`s; `outcome` says what follows for a file; `extras` adds what no verdict
 * depends on.
 */

/** More requests at the same time are no faster, and would only reach the rate limit. */
export const MAX_CONCURRENT_REQUESTS = 8;
const FIRE_MS = 60_000;

/** What is undefined is left out of the request. */
export interface NewSubmission {
  readonly assets: readonly { readonly blobPath: string; readonly previousSubmissionId: string | undefined }[];
  /** If undefined, the service chooses the sidekicks. With an empty list, no sidekick would run. */
  readonly sidekickIds: readonly string[] | undefined;
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
  readonly simulationDelaySeconds: number | undefined;
}

/** What a step needs to send requests. */
export interface ServiceCalls {
  readonly client: ServiceClient;
  readonly log: Log;
  readonly deadline: Deadline;
}

export type ServiceClient = ReturnType<typeof createClient>;

/** One function for each endpoint. A response counts as unreadable if it is about a resource that was not requested. */
export function createClient(given: Omit<RequesterOptions, 'http'> & { readonly http?: Http }) {
  const options = { http: createHttp(), ...given };
  const { access, log, mask } = options;
  const requester = new ServiceRequester(options);
  const outages = new Map<Endpoint, ServiceError>();
  return {
    mode: access.mode,

    uploadUrl: async (filename: string, contentType: string, deadline: Deadline) => {
      const request = { payload: json({ filename, contentType }), deadline };
      const response = await requester.send(ENDPOINTS.uploadUrl, UploadUrlResponse, request);
      // Whoever has the address can write to it. Debug output of Node.js or undici would show it.
      mask(...secretsIn(response.uploadUrl, [filename, contentType]));
      return response;
    },

    uploadDirect: async (payload: () => Payload, deadline: Deadline) =>
      await requester.send(ENDPOINTS.uploadDirect, DirectUploadResponse, { payload, deadline }),

    putFile: async (file: MediaFile, uploadUrl: string, deadline: Deadline) =>
      await sendToStorage({ file, uploadUrl }, options, deadline),

    createSubmission: async ({ simulationDelaySeconds, ...body }: NewSubmission, deadline: Deadline) => {
      const query = simulationDelaySeconds === undefined ? '' : `?simulationDelaySeconds=${simulationDelaySeconds}`;
      const request = { query, payload: json(body), deadline };
      return await requester.send(ENDPOINTS.create, CreationResponse, request);
    },

    readSubmission: async (submissionId: string, deadline: Deadline) => {
      const schema = v.object({ ...SubmissionResponse.entries, submissionId: sameId(submissionId) });
      return await requester.send(ENDPOINTS.readSubmission, schema, { ids: [submissionId], deadline });
    },

    readAsset: async (submissionId: string, assetId: string, deadline: Deadline) => {
      const same = { assetId: sameId(assetId), submissionId: v.nullish(sameId(submissionId)) };
      const schema = v.object({ ...AssetResponse.entries, ...same });
      return await requester.send(ENDPOINTS.readAsset, schema, { ids: [submissionId, assetId], deadline });
    },

    /** After an outage, the list is not requested again in this run: files that need it are unjudged or last known. */
    readList: async (
      list: 'readIssues' | 'readTopics' | 'readVersions',
      ids: readonly string[],
      deadline: Deadline,
    ) => {
      const endpoint = ENDPOINTS[list];
      const outage = outages.get(endpoint);
      if (outage) throw outage;
      try {
        return await requester.send(endpoint, v.unknown(), { ids, deadline });
      } catch (error) {
        if (error instanceof ServiceError && error.isOutage) outages.set(endpoint, error);
        throw error;
      }
    },

    retryAsset: async (submissionId: string, assetId: string, deadline: Deadline) =>
      await requester.send(ENDPOINTS.retryAsset, CreationResponse, { ids: [submissionId, assetId], deadline }),

    /** Fires the event that a test workflow requested. A failure is only a warning, because the verdict is made. */
    fireEvent: async (
      event: Readonly<{ eventType: string; submissionId: string; errorMessage: string | undefined }>,
      signal: AbortSignal,
    ) => {
      const { eventType, submissionId } = event;
      log.info(`Firing ${eventType} for ${submissionId}: it reaches every active subscription of the workspace`);
      const request = { payload: json(event), deadline: { signal, until: performance.now() + FIRE_MS } };
      try {
        const { dispatched } = await requester.send(ENDPOINTS.fire, v.object({ dispatched: v.number() }), request);
        log.info(`${eventType}: dispatched to ${plural(dispatched, 'subscription')}`);
      } catch (error) {
        log.warning(`The sandbox event was not fired: ${messageOf(error)}.`);
      }
    },
  };
}

function json(value: unknown): () => Payload {
  return () => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) });
}

/** The schema of an id in a response about a resource with this id. */
function sameId(id: string) {
  return v.pipe(
    v.string(),
    v.check((received) => idKey(received) === idKey(id), `It is about another resource than ${id}.`),
  );
}
