import type { MediaFile } from '../media/file.ts';
import { ENDPOINTS, type Endpoint, type SandboxEvent } from './endpoints.ts';
import { formBody, type PieceBuffers } from './file-body.ts';
import { type Payload, type RequesterOptions, ServiceRequester } from './requester.ts';
import {
  AnyResponse,
  AssetResponse,
  CreationResponse,
  DirectUploadResponse,
  FireResponse,
  SubmissionResponse,
  UploadUrlResponse,
} from './responses.ts';
import type { Deadline } from './retries.ts';
import { ServiceError } from './service-error.ts';

export type { Deadline } from './retries.ts';

/** How many reads a step has in flight: more would only hit the rate limit. */
export const MAX_CONCURRENT_READS = 8;

/** How long something that should be there may be missing before that is believed: a replica may lag behind, or restart. */
export const CATCH_UP_MS = 20_000;

/** The time between two reads of something that is missing. */
export const READ_AGAIN_MS = 2_000;

export interface NewAsset {
  readonly blobPath: string;
  readonly previousSubmissionId?: string;
}

export interface NewSubmission {
  readonly assets: readonly NewAsset[];
  readonly sidekickIds?: readonly string[];
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface FiredEvent {
  readonly eventType: SandboxEvent;
  readonly submissionId: string;
  /** Undefined leaves the text to the service. */
  readonly errorMessage: string | undefined;
}

export interface DirectUpload {
  readonly filename: string;
  readonly file: MediaFile;
  readonly buffers: PieceBuffers;
}

/** The service, one method for each endpoint. The API key is sent to its origin and nowhere else. */
export class ServiceClient {
  readonly #requester: ServiceRequester;

  constructor(options: RequesterOptions) {
    this.#requester = new ServiceRequester(options);
  }

  async uploadUrl(filename: string, contentType: string, deadline: Deadline): Promise<UploadUrlResponse> {
    return await this.#requester.send({
      endpoint: ENDPOINTS.uploadUrl,
      path: '/uploads/url',
      payload: json({ filename, contentType }),
      schema: UploadUrlResponse,
      deadline,
    });
  }

  async uploadDirect({ filename, file, buffers }: DirectUpload, deadline: Deadline): Promise<DirectUploadResponse> {
    return await this.#requester.send({
      endpoint: ENDPOINTS.uploadDirect,
      path: '/uploads/direct',
      payload: () => formBody(file, filename, buffers),
      schema: DirectUploadResponse,
      deadline,
    });
  }

  async createSubmission(
    submission: NewSubmission,
    simulationDelaySeconds: number | undefined,
    deadline: Deadline,
  ): Promise<CreationResponse> {
    const query = simulationDelaySeconds === undefined ? '' : `?simulationDelaySeconds=${simulationDelaySeconds}`;
    return await this.#requester.send({
      endpoint: ENDPOINTS.create,
      path: `/submissions${query}`,
      payload: json(submission),
      schema: CreationResponse,
      deadline,
    });
  }

  async readSubmission(submissionId: string, deadline: Deadline): Promise<SubmissionResponse> {
    const response = await this.#requester.send({
      endpoint: ENDPOINTS.readSubmission,
      path: submissionPath(submissionId),
      schema: SubmissionResponse,
      deadline,
    });
    if (response.submissionId !== submissionId) throw aboutAnother(ENDPOINTS.readSubmission, 'submissionId');
    return response;
  }

  async readAsset(submissionId: string, assetId: string, deadline: Deadline): Promise<AssetResponse> {
    const response = await this.#requester.send({
      endpoint: ENDPOINTS.readAsset,
      path: assetPath(submissionId, assetId),
      schema: AssetResponse,
      deadline,
    });
    if (response.assetId !== assetId) throw aboutAnother(ENDPOINTS.readAsset, 'assetId');
    if (response.submissionId && response.submissionId !== submissionId)
      throw aboutAnother(ENDPOINTS.readAsset, 'submissionId');
    return response;
  }

  async readIssues(submissionId: string, assetId: string, deadline: Deadline): Promise<unknown> {
    return await this.#requester.send({
      endpoint: ENDPOINTS.readIssues,
      path: `${assetPath(submissionId, assetId)}/issues`,
      schema: AnyResponse,
      deadline,
    });
  }

  async readTopics(submissionId: string, assetId: string, deadline: Deadline): Promise<unknown> {
    return await this.#requester.send({
      endpoint: ENDPOINTS.readTopics,
      path: `${assetPath(submissionId, assetId)}/topics`,
      schema: AnyResponse,
      deadline,
    });
  }

  async readVersions(submissionId: string, deadline: Deadline): Promise<unknown> {
    return await this.#requester.send({
      endpoint: ENDPOINTS.readVersions,
      path: `${submissionPath(submissionId)}/versions`,
      schema: AnyResponse,
      deadline,
    });
  }

  async retryAsset(submissionId: string, assetId: string, deadline: Deadline): Promise<CreationResponse> {
    return await this.#requester.send({
      endpoint: ENDPOINTS.retryAsset,
      path: `${assetPath(submissionId, assetId)}/retry`,
      schema: CreationResponse,
      deadline,
    });
  }

  /** @returns how many subscriptions were notified */
  async fireEvent(event: FiredEvent, deadline: Deadline): Promise<number> {
    const response = await this.#requester.send({
      endpoint: ENDPOINTS.fire,
      path: '/sandbox/events/fire',
      payload: json(event),
      schema: FireResponse,
      deadline,
    });
    return response.dispatched;
  }
}

function json(value: unknown): () => Payload {
  return () => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) });
}

/** A response about another resource proves nothing about the requested one. */
function aboutAnother({ operation }: Endpoint, field: 'assetId' | 'submissionId'): ServiceError {
  return new ServiceError(operation, {
    kind: 'unreadable',
    message: `\`${field}\` is not the requested one`,
    isJson: true,
  });
}

function submissionPath(submissionId: string): string {
  return `/submissions/${encodeURIComponent(submissionId.toWellFormed())}`;
}

function assetPath(submissionId: string, assetId: string): string {
  return `${submissionPath(submissionId)}/assets/${encodeURIComponent(assetId.toWellFormed())}`;
}
