import { sleep } from '../lib/async.ts';
import { GateError, workflowOwner } from '../lib/cause.ts';
import { plural } from '../lib/format.ts';
import type { Content } from '../media/content.ts';
import type { NewSubmission, ServiceCalls } from './client.ts';
import { type Creation, describeDouble, explainCreation } from './creation-failure.ts';
import { type FailureClass, ServiceError } from './service-error.ts';
import type { UploadedContent } from './upload.ts';

/** The data that `submit` passes to `wait`: a submission that may not be finished. */
export interface OpenSubmission {
  readonly submissionId: string;
  readonly createdAt: string;
  /** Each content is one asset of the submission. Only the file name of an asset proves which content it is. */
  readonly contents: readonly Content[];
  /** The ids of the assets that a response named. These assets are read even if the submission cannot be read. */
  readonly assetIds: readonly string[];
  /** If an earlier run created the submission: other files that this gate has sent, which may be assets of it. */
  readonly otherFiles?: OtherFiles | undefined;
  /** The service's job identifier, which its support asks for. */
  readonly workflowId?: string | undefined;
}

/** Files that a run does not need from a submission, such as files that were deleted since. */
export interface OtherFiles {
  readonly names: readonly string[];
  /** The assets of the submission that an earlier run has read, as `idKey`s. */
  readonly assetKeys: ReadonlySet<string>;
}

export interface CreatedSubmission extends OpenSubmission {
  /** The links to earlier versions that the service accepted: content hash to submission id. */
  readonly previousSubmissionIds: ReadonlyMap<string, string>;
  /** Says which parts of the request were left out, because the service refused them. */
  readonly notice?: string | undefined;
  /** True if only a repeated request was confirmed: the first request may have created a submission as well. */
  readonly mayExistTwice: boolean;
}

export interface SubmitOptions {
  /** If undefined, the service chooses the sidekicks. With an empty list, no sidekick would run. */
  readonly sidekickIds: readonly string[] | undefined;
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
  readonly simulationDelaySeconds: number | undefined;
  /** The submissions that hold the earlier versions of the contents, by content hash. */
  readonly previousSubmissionIds: ReadonlyMap<string, string>;
}

/** The pause before a creation is repeated: a gateway that restarts needs about this time. */
const REPEAT_AFTER_MS = 5_000;

/** Creates the only submission of this run. */
export async function submit(
  uploads: readonly UploadedContent[],
  options: SubmitOptions,
  calls: ServiceCalls,
): Promise<CreatedSubmission> {
  refuseSharedPaths(uploads);
  const { mode, calendar } = calls.client;
  const at = calendar.now().date;
  const creation: Creation = { uploads, mode, at, unconfirmed: [] };
  try {
    const { response, ...created } = await create(creation, options, calls);
    const { submissionId, workflowId, assets } = response;
    calls.log.info(`Submission ${submissionId} created with ${plural(uploads.length, 'asset')}`);
    const [doubtful] = creation.unconfirmed;
    if (doubtful) calls.log.warning(describeDouble(doubtful, creation));
    return {
      submissionId,
      createdAt: calendar.now().date.toISOString(),
      contents: uploads.map(({ content }) => content),
      assetIds: assets.map(({ assetId }) => assetId),
      workflowId: workflowId ?? undefined,
      ...created,
      mayExistTwice: doubtful !== undefined,
    };
  } catch (error) {
    if (!(error instanceof ServiceError) && creation.unconfirmed.length === 0) throw error;
    throw new GateError(explainCreation(error, creation, calls.deadline.signal.aborted), { cause: error });
  }
}

/** These failures may be about the metadata or the links to earlier versions, for which the API states no rules. */
const ABOUT_EXTRAS: readonly FailureClass[] = ['missing', 'invalid'];

/**
 * Repeats the request after a gateway error, but only once in a run, because the service may have billed that request. If
 * a refusal may be about metadata or version links, the request is sent once more without them.
 */
async function create(creation: Creation, given: SubmitOptions, { client, log, deadline }: ServiceCalls) {
  const { uploads, unconfirmed } = creation;
  const extras = [
    ...(given.previousSubmissionIds.size > 0 ? ['links to earlier versions'] : []),
    ...(given.metadata ? ['metadata'] : []),
  ].join(' and ');
  let options = given;
  let notice: string | undefined;
  for (;;) {
    try {
      const body = compose(uploads, options);
      const response = await client.createSubmission(body, options.simulationDelaySeconds, deadline);
      return { response, previousSubmissionIds: options.previousSubmissionIds, notice };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.mayHaveArrived) unconfirmed.push(error);
      if (error.failureClass === 'server error' && unconfirmed.length === 1) {
        log.info(`${error.message}; trying once more`);
        await sleep(REPEAT_AFTER_MS, deadline.signal);
      } else if (ABOUT_EXTRAS.includes(error.failureClass) && extras !== '' && notice === undefined) {
        notice = `The submission was created without ${extras}, because the service refused it with them (${error.message}).`;
        log.info(`${error.message}. Trying once more without ${extras}.`);
        options = { ...given, metadata: undefined, previousSubmissionIds: new Map() };
      } else throw error;
    }
  }
}

/** Adds to the input `metadata` how the service's staff can find the run. With `none`, no metadata are sent. */
export function metadataOf(
  given: Readonly<Record<string, unknown>> | 'none',
  { repository, commit, ref, runUrl }: Readonly<Record<'repository' | 'commit' | 'ref' | 'runUrl', string>>,
): Readonly<Record<string, unknown>> | undefined {
  return given === 'none' ? undefined : { repository, commit, ...(ref !== '' && { ref }), runUrl, ...given };
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

/** If two files had the same path, only the file that was uploaded last would be analysed. */
function refuseSharedPaths(uploads: readonly UploadedContent[]): void {
  const byPath = Map.groupBy(uploads, ({ blobPath }) => blobPath);
  const shared = [...byPath.values()].find((group) => group.length > 1);
  if (!shared) return;
  const names = shared.map(({ content }) => content.paths[0]).join(', ');
  throw new GateError({
    reason: 'refused',
    message: `The service stored different files under one path: ${names}. Nothing was submitted or billed.`,
    steps: [workflowOwner("Contact the service's support: it must keep different file names apart.")],
  });
}
