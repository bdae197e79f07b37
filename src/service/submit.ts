import { type Cause, GateError } from '../cause.ts';
import type { Inputs } from '../inputs/inputs.ts';
import type { Log } from '../log.ts';
import type { Content } from '../state/plan.ts';
import type { CreationAnswer } from './answers.ts';
import type { Effort, NewSubmission, ServiceClient } from './client.ts';
import { explain, ServiceError } from './service-error.ts';
import type { UploadedContent } from './upload.ts';

/** submit → wait */
export interface OpenSubmission {
  readonly submissionId: string;
  /** Each of them is one of its assets; which one, only the asset's file name proves. */
  readonly contents: readonly Content[];
}

export interface SubmitOptions {
  readonly sidekickIds: Inputs['sidekickIds'];
  /** Undefined sends none. */
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
  readonly simulationDelaySeconds: number | undefined;
}

/** Creates the one submission of this run. It costs credits: nothing here repeats a request that may have arrived. */
export async function submit(
  uploads: readonly UploadedContent[],
  options: SubmitOptions,
  client: ServiceClient,
  log: Log,
  effort: Effort,
): Promise<OpenSubmission> {
  refuseSharedPaths(uploads);
  const { metadata, sidekickIds, simulationDelaySeconds } = options;
  const bare: NewSubmission = {
    assets: uploads.map(({ blobPath }) => ({ blobPath })),
    ...(sidekickIds && { sidekickIds }),
  };
  const create = async (submission: NewSubmission): Promise<CreationAnswer> =>
    await client.createSubmission(submission, simulationDelaySeconds, effort);
  try {
    const { submissionId } = metadata ? await createWithMetadata({ ...bare, metadata }) : await create(bare);
    log.info(`Submission ${submissionId} created with ${counted(uploads.length)}`);
    return { submissionId, contents: uploads.map(({ content }) => content) };
  } catch (error) {
    throw error instanceof ServiceError ? new GateError(explainCreation(error, uploads), { cause: error }) : error;
  }

  /** Which keys the service permits in metadata is not known, and it is no reason to block a merge. */
  async function createWithMetadata(submission: NewSubmission): Promise<CreationAnswer> {
    try {
      return await create(submission);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status !== 422) throw error;
      log.warning(`${error.message}. Trying once more without metadata.`);
      return await create(bare);
    }
  }
}

/** One path would be one asset with the bytes of the last upload: the other file would pass unseen. */
function refuseSharedPaths(uploads: readonly UploadedContent[]): void {
  const byPath = Map.groupBy(uploads, ({ blobPath }) => blobPath);
  const causes = [...byPath.values()]
    .filter((group) => group.length > 1)
    .map((group): Cause => {
      const names = group.map(({ content }) => content.paths[0]).join(', ');
      return {
        reason: 'refused',
        message: `The service stored different files under one path: ${names}.`,
        fix: 'Nothing was submitted or billed. Tell the service: it must keep different file names apart.',
      };
    });
  if (causes.length > 0) throw new GateError(causes);
}

const MOST_CANDIDATES = 20;

function explainCreation(error: ServiceError, uploads: readonly UploadedContent[]): Cause {
  const cause = explain(error);
  if (mayHaveArrived(error)) {
    return {
      ...cause,
      message: `${cause.message} The request may have arrived all the same: a submission with ${counted(uploads.length)} may exist and be billed.`,
      fix: `Look in the service for a submission of this run before you re-run the job. ${cause.fix}`,
    };
  }
  switch (error.status) {
    case 413:
    case 415:
      return { ...cause, message: `${cause.message} It concerns one of: ${candidates(uploads)}.` };
    case 422:
      return { ...cause, message: `${cause.message} The submission held ${counted(uploads.length)}.` };
    default:
      return cause;
  }
}

function mayHaveArrived(error: ServiceError): boolean {
  if (error.failure.kind === 'connection') return error.failure.error.maybeReceived;
  return error.failure.kind === 'unreadable' || error.status === 503 || error.status === 504;
}

function candidates(uploads: readonly UploadedContent[]): string {
  const names = uploads.slice(0, MOST_CANDIDATES).map(({ content }) => content.paths[0]);
  const more = uploads.length - names.length;
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function counted(assets: number): string {
  return assets === 1 ? '1 asset' : `${assets} assets`;
}
