import { type Cause, GateError } from '../lib/cause.ts';
import { concurrently } from '../lib/concurrently.ts';
import { plural } from '../lib/format.ts';
import type { Log } from '../lib/log.ts';
import type { Content } from '../media/content.ts';
import { type Deadline, MAX_CONCURRENT_READS, type NewSubmission, type ServiceClient } from './client.ts';
import { explainCreation } from './creation-failure.ts';
import { readUnlessGone } from './read-unless-gone.ts';
import type { CreationAnswer } from './responses.ts';
import { ServiceError } from './service-error.ts';
import type { UploadedContent } from './upload.ts';

/** submit → wait */
export interface OpenSubmission {
  readonly submissionId: string;
  /** Each of them is one of its assets; which one, only the asset's file name proves. */
  readonly contents: readonly Content[];
  /**
   * Epoch milliseconds, where this run created it: then `contents` are all that it holds, and the wait counts from here.
   * A submission of an earlier run may hold more, and is waited for from now.
   */
  readonly waitsSince?: number;
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

/** Creates the one submission of this run. It costs credits: nothing here repeats a request that may have arrived. */
export async function submit(
  uploads: readonly UploadedContent[],
  options: SubmitOptions,
  client: ServiceClient,
  log: Log,
  deadline: Deadline,
): Promise<OpenSubmission> {
  refuseSharedPaths(uploads);
  try {
    const { submissionId } = await createLinked(new Set());
    log.info(`Submission ${submissionId} created with ${plural(uploads.length, 'asset')}`);
    return { submissionId, contents: uploads.map(({ content }) => content), waitsSince: Date.now() };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new GateError(explainCreation(error, uploads, deadline.signal.aborted), { cause: error });
  }

  /** An earlier version that the service no longer has is no reason to block a merge: it is left out, and told. */
  async function createLinked(gone: ReadonlySet<string>): Promise<CreationAnswer> {
    const submission = compose(uploads, options, gone);
    try {
      return await createDescribed(submission);
    } catch (error) {
      const isLinked = submission.assets.some(({ previousSubmissionId }) => previousSubmissionId !== undefined);
      if (!(error instanceof ServiceError) || error.status !== 404 || !isLinked || gone.size > 0) throw error;
      const missing = await findMissing(submission, client, deadline);
      if (missing.size === 0) throw error;
      log.warning(
        `The service no longer has the earlier version of some files (${[...missing].join(', ')}): they are sent as first versions.`,
      );
      return await createLinked(missing);
    }
  }

  /** Which keys the service permits in metadata is not known, and that is no reason to block a merge either. */
  async function createDescribed(submission: NewSubmission): Promise<CreationAnswer> {
    const { metadata, ...bare } = submission;
    try {
      return await client.createSubmission(submission, options.simulationDelaySeconds, deadline);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status !== 422 || !metadata) throw error;
      log.warning(`${error.message}. Trying once more without metadata.`);
      return await client.createSubmission(bare, options.simulationDelaySeconds, deadline);
    }
  }
}

function compose(
  uploads: readonly UploadedContent[],
  options: SubmitOptions,
  gone: ReadonlySet<string>,
): NewSubmission {
  const { metadata, sidekickIds, previousSubmissionIds } = options;
  return {
    assets: uploads.map(({ blobPath, content }) => {
      const previousSubmissionId = previousSubmissionIds.get(content.sha256);
      return previousSubmissionId === undefined || gone.has(previousSubmissionId)
        ? { blobPath }
        : { blobPath, previousSubmissionId };
    }),
    ...(sidekickIds && { sidekickIds }),
    ...(metadata && { metadata }),
  };
}

/** The answer to a creation does not say which earlier submission is missing; reading each of them does. */
async function findMissing(
  { assets }: NewSubmission,
  client: ServiceClient,
  deadline: Deadline,
): Promise<ReadonlySet<string>> {
  const missing = new Set<string>();
  const ids = new Set(assets.map(({ previousSubmissionId }) => previousSubmissionId).filter((id) => id !== undefined));
  await concurrently([...ids], MAX_CONCURRENT_READS, async (id, stop) => {
    const signal = AbortSignal.any([deadline.signal, stop]);
    if (!(await readUnlessGone(id, client, { ...deadline, signal }))) missing.add(id);
  });
  return missing;
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
