import { type Cause, GateError, workflowOwner } from '../lib/cause.ts';
import { sleep } from '../lib/clock.ts';
import { formatList, plural } from '../lib/format.ts';
import type { Log } from '../lib/log.ts';
import type { Content } from '../media/content.ts';
import type { Deadline, NewSubmission, ServiceClient } from './client.ts';
import { describeDouble, explainCreation } from './creation-failure.ts';
import { readSubmissions } from './earlier-submissions.ts';
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
  /** The service confirmed only the second request, and may have made a submission of the first as well. */
  readonly mayExistTwice: boolean;
}

export interface SubmitOptions {
  /** Undefined leaves the choice to the service; an empty list would mean that none runs. */
  readonly sidekickIds: readonly string[] | undefined;
  /** Undefined sends none. */
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
  readonly simulationDelaySeconds: number | undefined;
  /** By content: the submission that holds its earlier version. */
  readonly previousSubmissionIds: ReadonlyMap<string, string>;
}

/** Time for a gateway that restarts. */
const REPEAT_AFTER_MS = 5_000;

interface Services {
  readonly client: ServiceClient;
  readonly log: Log;
  readonly deadline: Deadline;
}

/** Creates the one submission of this run. */
export async function submit(
  uploads: readonly UploadedContent[],
  options: SubmitOptions,
  services: Services,
): Promise<CreatedSubmission> {
  refuseSharedPaths(uploads);
  const unconfirmed: ServiceError[] = [];
  const creation = { uploads, metadata: options.metadata, at: new Date(), unconfirmed };
  try {
    const { response, previousSubmissionIds } = await create(uploads, options, services, unconfirmed);
    const { submissionId, workflowId, assets } = response;
    const workflow = workflowId ? ` (workflow ${workflowId})` : '';
    services.log.info(`Submission ${submissionId}${workflow} created with ${plural(uploads.length, 'asset')}`);
    const [doubtful] = unconfirmed;
    if (doubtful) services.log.warning(describeDouble(doubtful, creation));
    return {
      submissionId,
      createdAt: new Date().toISOString(),
      contents: uploads.map(({ content }) => content),
      assetIds: assets.map(({ assetId }) => assetId),
      workflowId: workflowId ?? undefined,
      previousSubmissionIds,
      mayExistTwice: doubtful !== undefined,
    };
  } catch (error) {
    if (!(error instanceof ServiceError) && unconfirmed.length === 0) throw error;
    const wasStopped = services.deadline.signal.aborted;
    throw new GateError(explainCreation(error, creation, wasStopped), { cause: error });
  }
}

/**
 * A creation costs credits, and a gateway may hide that it was made: it is repeated once after a server error, whatever it holds.
 * After a refusal it is sent again without what may be refused, once each: the contract does not show which metadata keys
 * are permitted, and a link to an earlier version is not worth a failed check.
 *
 * @param unconfirmed gets the error of each request that may have made a submission
 */
async function create(
  uploads: readonly UploadedContent[],
  options: SubmitOptions,
  { client, log, deadline }: Services,
  unconfirmed: ServiceError[],
): Promise<{ response: CreationResponse; previousSubmissionIds: SubmitOptions['previousSubmissionIds'] }> {
  let { metadata, previousSubmissionIds } = options;
  let hasAllLinks = previousSubmissionIds.size > 0;
  for (;;) {
    try {
      const submission = compose(uploads, { ...options, metadata, previousSubmissionIds });
      const response = await client.createSubmission(submission, options.simulationDelaySeconds, deadline);
      return { response, previousSubmissionIds };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.mayHaveArrived) unconfirmed.push(error);
      if (error.failureClass === 'invalid' && metadata) {
        log.warning(`${error.message}. Trying once more without metadata.`);
        metadata = undefined;
      } else if (error.failureClass === 'missing' && hasAllLinks) {
        previousSubmissionIds = await withoutMissing(previousSubmissionIds);
        hasAllLinks = false;
      } else if (error.failureClass === 'server error' && unconfirmed.length === 1) {
        log.info(`${error.message}; trying once more`);
        await sleep(REPEAT_AFTER_MS, deadline.signal);
      } else {
        throw error;
      }
    }
  }

  /** If all of them are still there, none can be linked. */
  async function withoutMissing(links: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, string>> {
    const ids = [...new Set(links.values())];
    const wanted = ids.map((submissionId) => ({ submissionId, assetIds: [] }));
    const { missing } = await readSubmissions(wanted, { client, deadline });
    const dropped = missing.size > 0 ? missing : new Set(ids);
    log.warning(
      `The service does not find the earlier version of some files (${formatList([...dropped])}): they are sent as first versions.`,
    );
    return new Map([...links].filter(([, id]) => !dropped.has(id)));
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
