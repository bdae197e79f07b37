import { type Cause, GateError } from '../lib/cause.ts';
import { concurrently } from '../lib/concurrently.ts';
import { formatList, plural } from '../lib/format.ts';
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
  /** Each of them is one of its assets. Only an asset's file name proves which one. */
  readonly contents: readonly Content[];
  /** Its assets, as far as an answer named them. They are read even if the submission itself cannot be. */
  readonly assetIds?: readonly string[];
  /** True if this run created it: then it holds nothing but `contents`. */
  readonly isNew?: boolean;
  /** The service's job identifier, which its support asks for. */
  readonly workflowId?: string | undefined;
  /** By content: the submission whose version the service was asked to link. */
  readonly previousSubmissionIds?: ReadonlyMap<string, string>;
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

interface Services {
  readonly client: ServiceClient;
  readonly log: Log;
  readonly deadline: Deadline;
}

/** Creates the one submission of this run. It costs credits: see `CREATE` for the only cases in which it is repeated. */
export async function submit(
  uploads: readonly UploadedContent[],
  options: SubmitOptions,
  { client, log, deadline }: Services,
): Promise<OpenSubmission> {
  refuseSharedPaths(uploads);
  const at = new Date();
  try {
    return await createLinked(options.previousSubmissionIds);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new GateError(
      explainCreation(error, { uploads, metadata: options.metadata, at, wasStopped: deadline.signal.aborted }),
      { cause: error },
    );
  }

  /** If the service no longer has an earlier version, the link to it is left out, with a warning. */
  async function createLinked(previousSubmissionIds: ReadonlyMap<string, string>): Promise<OpenSubmission> {
    try {
      const answer = await createWithMetadata(compose(uploads, { ...options, previousSubmissionIds }));
      const workflowId = answer.workflowId ?? undefined;
      const workflow = workflowId === undefined ? '' : ` (workflow ${workflowId})`;
      log.info(`Submission ${answer.submissionId}${workflow} created with ${plural(uploads.length, 'asset')}`);
      return {
        submissionId: answer.submissionId,
        contents: uploads.map(({ content }) => content),
        assetIds: answer.assets.map(({ assetId }) => assetId),
        isNew: true,
        workflowId,
        previousSubmissionIds,
      };
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status !== 404) throw error;
      const missing = await findMissing(new Set(previousSubmissionIds.values()), client, deadline);
      if (missing.size === 0) throw error;
      log.warning(
        `The service no longer has the earlier version of some files (${formatList([...missing])}): they are sent as first versions.`,
      );
      return await createLinked(new Map([...previousSubmissionIds].filter(([, id]) => !missing.has(id))));
    }
  }

  /** The contract does not show which metadata keys are permitted: if they are refused, none are sent. */
  async function createWithMetadata(submission: NewSubmission): Promise<CreationAnswer> {
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

/** Where a submission comes from. */
interface Origin {
  readonly repository: string;
  readonly commit: string;
  readonly ref: string;
  readonly runUrl: string;
}

/**
 * What the service keeps with the submission, so that a person there can find the run.
 *
 * @param given the input `metadata`; `none` sends nothing at all
 */
export function metadataOf(
  given: Readonly<Record<string, unknown>> | 'none',
  { repository, commit, ref, runUrl }: Origin,
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

/** The answer to a creation does not say which earlier submission is missing, so each of them is read. */
async function findMissing(
  ids: ReadonlySet<string>,
  client: ServiceClient,
  deadline: Deadline,
): Promise<ReadonlySet<string>> {
  const missing = await concurrently([...ids], MAX_CONCURRENT_READS, async (id, stop) => {
    const signal = AbortSignal.any([deadline.signal, stop]);
    return (await readUnlessGone(id, { client, deadline: { ...deadline, signal } })) ? undefined : id;
  });
  return new Set(missing.filter((id) => id !== undefined));
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
        message: `The service stored different files under one path: ${names}.`,
        fix: "Nothing was submitted or billed. Contact the service's support: it must keep different file names apart.",
      };
    });
  if (causes.length > 0) throw new GateError(causes);
}
