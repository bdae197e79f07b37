import { sleep } from '../lib/async.ts';
import { accountOwner, type Cause, forOwner, GateError, rerun, workflowOwner } from '../lib/cause.ts';
import { formatList, plural } from '../lib/format.ts';
import { explain } from './advice.ts';
import type { NewSubmission, ServiceCalls } from './client.ts';
import { ServiceError } from './service-error.ts';
import type { AwaitedSubmission } from './submission-reading.ts';
import { DIRECT_UPLOAD_CAP, type UploadedContent } from './upload.ts';

export interface CreatedSubmission extends AwaitedSubmission {
  /** The links to earlier versions that the service accepted: content hash to submission id. */
  readonly previousSubmissionIds: ReadonlyMap<string, string>;
  /** Says which parts of the request were left out, because the service refused them. */
  readonly notice?: string | undefined;
  /** True if only a repeated request was confirmed: the first request may have created a submission as well. */
  readonly mayExistTwice: boolean;
}

interface SubmitOptions {
  /** If undefined, the service chooses the sidekicks. With an empty list, no sidekick would run. */
  readonly sidekickIds: readonly string[] | undefined;
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
  readonly simulationDelaySeconds: number | undefined;
  /** The submissions that hold the earlier versions of the contents, by content hash. */
  readonly previousSubmissionIds: ReadonlyMap<string, string>;
}

/** The facts about the creation of the submission that messages need. A run creates at most one submission. */
interface Creation {
  readonly uploads: readonly UploadedContent[];
  /** False in a sandbox. */
  readonly isBilled: boolean;
  readonly at: Date;
  /** The errors of requests that the service did not confirm. Each request may have created a submission. */
  readonly unconfirmed: ServiceError[];
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
  const creation: Creation = { uploads, isBilled: mode === 'live', at: calendar.now().date, unconfirmed: [] };
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

/**
 * Repeats the request after a server error, but only once in a run, because each request may be billed. If a refusal
 * may be about metadata or version links, the request is sent once more without them.
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
      } else if (error.refuses.includes('extras') && extras !== '' && notice === undefined) {
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
  const message = `The service stored different files under one path: ${names}. Nothing was submitted.`;
  const fix = "Contact the service's support: it must keep different file names apart.";
  throw new GateError(forOwner('refused', message, fix));
}

/** Why no submission was confirmed. @param wasStopped whether the run was cancelled during the request */
function explainCreation(error: unknown, creation: Creation, wasStopped: boolean): readonly Cause[] {
  const isRefused = error instanceof ServiceError && !error.mayHaveArrived;
  const refusals = isRefused ? explainRefusal(error, creation) : [];
  const last = creation.unconfirmed.at(-1);
  if (!last) return refusals;
  const { reason, message } = explain(last);
  const { isBilled } = creation;
  const again = rerun('Re-run this job to have the files checked.', isBilled ? 'It sends and bills them.' : undefined);
  const unconfirmed: Cause = {
    reason: wasStopped ? 'cancelled' : reason,
    message: `${message} ${existence(creation)}`,
    steps: isBilled ? [again, accountOwner(cancelOther(creation))] : [again],
    submission: 'unconfirmed',
  };
  return [...refusals, unconfirmed];
}

function existence({ unconfirmed: [error, ...others], isBilled }: Creation): string {
  if (error && 'status' in error.failure && error.failure.status === 201 && others.length === 0)
    return `One submission exists${isBilled ? ' and is billed' : ''}, but the response of the service does not name it.`;
  const [number, them] = others.length === 0 ? ['One submission', 'it'] : ['Two submissions', 'them'];
  return `${number} may exist${isBilled ? ' and be billed' : ''}: the service did not confirm ${them}.`;
}

/** The warning for a submission that the service confirmed only after the request was repeated. */
function describeDouble(error: ServiceError, creation: Creation): string {
  const start = `${error.message}. It confirmed the second request. Two submissions may exist`;
  return creation.isBilled ? `${start} and be billed. ${cancelOther(creation)}` : `${start}.`;
}

function cancelOther({ uploads, at }: Creation): string {
  const time = at.toISOString().slice(0, 16).replace('T', ' ');
  return `If the service has another submission with ${plural(uploads.length, 'asset')}, created about ${time} UTC, that one is billed as well: ask its support to cancel it.`;
}

/** From this number of assets on, a refusal may be about it. */
const MANY_ASSETS = 20;
const MAX_CANDIDATES = 20;

function explainRefusal(error: ServiceError, { uploads }: Creation): readonly Cause[] {
  const cause = explain(error);
  if (cause.reason !== 'refused') return [cause];
  const { refuses, failure } = error;
  const isAboutFile = refuses.includes('file');
  const isNamed = ({ content, blobPath }: UploadedContent): boolean =>
    uploads.length === 1 || failure.message.includes(content.name) || failure.message.includes(blobPath);
  const refused = isAboutFile ? uploads.filter(isNamed) : [];
  if (refused.length > 0) return refused.map(({ content }) => explain(error, content.file.path));
  // The detail gives the number of assets, because the service may limit this number without saying so.
  const detail = [cause.detail, `The submission held ${plural(uploads.length, 'asset')}.`].filter(Boolean).join(' ');
  const mayBeTooMany = uploads.length >= MANY_ASSETS && refuses.includes('number');
  const split = workflowOwner(
    `If ${plural(uploads.length, 'file')} are too many for one submission, check each folder in a separate job, as the example \`large-library.yml\` does.`,
  );
  // Many files of which none is large are too many, not too large.
  if (isAboutFile && mayBeTooMany && uploads.every(({ content }) => content.size <= DIRECT_UPLOAD_CAP))
    return [{ ...cause, message: 'The compliance service does not accept this submission.', detail, steps: [split] }];
  const paths = formatList(uploads.map(({ content }) => content.file.path).toSorted(), MAX_CANDIDATES);
  const candidates = isAboutFile ? ` The service does not name the file: it is one of ${paths}.` : '';
  const steps = mayBeTooMany ? [...cause.steps, split] : cause.steps;
  return [{ ...cause, message: cause.message + candidates, detail, steps }];
}
