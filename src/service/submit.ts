import { type Cause, GateError, workflowOwner } from '../lib/cause.ts';
import { sleep } from '../lib/clock.ts';
import { plural } from '../lib/format.ts';
import type { Content } from '../media/content.ts';
import type { NewSubmission, ServiceCalls } from './client.ts';
import { describeDouble, explainCreation } from './creation-failure.ts';
import type { FailureClass } from './failure.ts';
import type { CreationResponse } from './responses.ts';
import { ServiceError } from './service-error.ts';
import type { UploadedContent } from './upload.ts';

/** submit → wait: a submission that may not be finished. */
export interface OpenSubmission {
  readonly submissionId: string;
  /** ISO 8601 */
  readonly createdAt: string;
  /** Each of them is one of its assets. Only an asset's file name proves which one. */
  readonly contents: readonly Content[];
  /** Its assets, as far as a response named them. They are read even if the submission itself cannot be. */
  readonly assetIds: readonly string[];
  /** The service's job identifier, which its support asks for. */
  readonly workflowId?: string | undefined;
}

/** The submission that this run created. */
export interface CreatedSubmission extends OpenSubmission {
  /** By content: the submission whose version the service was asked to link. */
  readonly previousSubmissionIds: ReadonlyMap<string, string>;
  /** What was left out, because the service refused it. */
  readonly notice?: string | undefined;
  /** The service confirmed only the second request, and may have made a submission of the first as well. */
  readonly mayExistTwice: boolean;
}

export interface SubmitOptions {
  /** Undefined leaves the choice to the service; with an empty list none would run. */
  readonly sidekickIds: readonly string[] | undefined;
  /** Undefined sends none. */
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
  readonly simulationDelaySeconds: number | undefined;
  /** By content: the submission that holds its earlier version. */
  readonly previousSubmissionIds: ReadonlyMap<string, string>;
}

/** Time for a gateway that restarts. */
const REPEAT_AFTER_MS = 5_000;

interface Attempt extends ServiceCalls {
  /** Gets the error of each request that may have made a submission. */
  readonly unconfirmed: ServiceError[];
}

type Created = Pick<CreatedSubmission, 'previousSubmissionIds' | 'notice'> & { readonly response: CreationResponse };

/** Creates the one submission of this run. */
export async function submit(
  uploads: readonly UploadedContent[],
  options: SubmitOptions,
  calls: ServiceCalls,
): Promise<CreatedSubmission> {
  refuseSharedPaths(uploads);
  const unconfirmed: ServiceError[] = [];
  const creation = { uploads, metadata: options.metadata, at: new Date(), unconfirmed };
  try {
    const { response, previousSubmissionIds, notice } = await create(uploads, options, { ...calls, unconfirmed });
    const { submissionId, workflowId, assets } = response;
    const workflow = workflowId ? ` (workflow ${workflowId})` : '';
    calls.log.info(`Submission ${submissionId}${workflow} created with ${plural(uploads.length, 'asset')}`);
    const [doubtful] = unconfirmed;
    if (doubtful) calls.log.warning(describeDouble(doubtful, creation));
    return {
      submissionId,
      createdAt: new Date().toISOString(),
      contents: uploads.map(({ content }) => content),
      assetIds: assets.map(({ assetId }) => assetId),
      workflowId: workflowId ?? undefined,
      previousSubmissionIds,
      notice,
      mayExistTwice: doubtful !== undefined,
    };
  } catch (error) {
    if (!(error instanceof ServiceError) && unconfirmed.length === 0) throw error;
    const wasStopped = calls.deadline.signal.aborted;
    throw new GateError(explainCreation(error, creation, wasStopped), { cause: error });
  }
}

/** These may be about what the interface leaves open: the keys of the metadata, and how an earlier version is found. */
const ABOUT_EXTRAS: readonly FailureClass[] = ['missing', 'invalid'];

/** After a refusal, the submission is sent once more with nothing but what an analysis needs. */
async function create(uploads: readonly UploadedContent[], options: SubmitOptions, attempt: Attempt): Promise<Created> {
  const { metadata, previousSubmissionIds } = options;
  try {
    return { response: await createOnce(uploads, options, attempt), previousSubmissionIds, notice: undefined };
  } catch (error) {
    const extras = [
      ...(previousSubmissionIds.size > 0 ? ['links to earlier versions'] : []),
      ...(metadata ? ['metadata'] : []),
    ];
    const isRefused = error instanceof ServiceError && ABOUT_EXTRAS.includes(error.failureClass);
    if (!isRefused || extras.length === 0) throw error;
    const leftOut = extras.join(' and ');
    attempt.log.info(`${error.message}. Trying once more without ${leftOut}.`);
    const bare = { ...options, metadata: undefined, previousSubmissionIds: new Map<string, string>() };
    const response = await createOnce(uploads, bare, attempt);
    const notice = `The submission was created without ${leftOut}, because the service refused it with them (${error.message}).`;
    return { response, previousSubmissionIds: bare.previousSubmissionIds, notice };
  }
}

/** A creation costs credits, and a gateway may hide that it was made: it is repeated once in a run, whatever it holds. */
async function createOnce(
  uploads: readonly UploadedContent[],
  options: SubmitOptions,
  { client, log, deadline, unconfirmed }: Attempt,
): Promise<CreationResponse> {
  for (;;) {
    try {
      return await client.createSubmission(compose(uploads, options), options.simulationDelaySeconds, deadline);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.mayHaveArrived) unconfirmed.push(error);
      if (error.failureClass !== 'server error' || unconfirmed.length > 1) throw error;
      log.info(`${error.message}; trying once more`);
      await sleep(REPEAT_AFTER_MS, deadline.signal);
    }
  }
}

/**
 * What the service keeps with the submission, so that a person there can find the run.
 *
 * @param given the input `metadata`; `none` sends nothing at all
 */
export function metadataOf(
  given: Readonly<Record<string, unknown>> | 'none',
  { repository, commit, ref, runUrl }: Readonly<Record<'repository' | 'commit' | 'ref' | 'runUrl', string>>,
): Readonly<Record<string, unknown>> | undefined {
  return given === 'none' ? undefined : { repository, commit, ref, runUrl, ...given };
}

function compose(uploads: readonly UploadedContent[], options: SubmitOptions): NewSubmission {
  const { metadata, sidekickIds, previousSubmissionIds } = options;
  return {
    assets: uploads.map(({ blobPath, content }) => {
      const previousSubmissionId = previousSubmissionIds.get(content.sha256);
      return previousSubmissionId === undefined ? { blobPath } : { blobPath, previousSubmissionId };
    }),
    ...(sidekickIds && { sidekickIds }),
    ...(metadata && { metadata }),
  };
}

/** One path would be one asset with the bytes of the last upload: the other file would not be analysed. */
function refuseSharedPaths(uploads: readonly UploadedContent[]): void {
  const byPath = Map.groupBy(uploads, ({ blobPath }) => blobPath);
  const causes = [...byPath.values()]
    .filter((group) => group.length > 1)
    .map((group): Cause => {
      const names = group.map(({ content }) => content.paths[0]).join(', ');
      return {
        reason: 'refused',
        message: `The service stored different files under one path: ${names}. Nothing was submitted or billed.`,
        steps: [workflowOwner("Contact the service's support: it must keep different file names apart.")],
      };
    });
  if (causes.length > 0) throw new GateError(causes);
}
