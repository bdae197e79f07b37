import { accountOwner, type Cause, forOwner, GateError, rerun, workflowOwner } from '../causes/cause.ts';
import { concurrently, sleep } from '../lib/async.ts';
import { plural } from '../lib/format.ts';
import { explain } from './advice.ts';
import { MAX_CONCURRENT_REQUESTS, type NewSubmission, type ServiceCalls } from './client.ts';
import { orError, ServiceError } from './service-error.ts';
import type { UploadedContent } from './upload.ts';

export interface CreatedSubmission {
  readonly submissionId: string;
  /** Says which parts of the request were left out, because the service refused them. */
  readonly notice: string | undefined;
  /** True if only a repeated request was confirmed: an earlier one may have created a submission as well. */
  readonly mayExistTwice: boolean;
}

/** The pause before a creation is repeated: a gateway that restarts needs about this time. */
const REPEAT_AFTER_MS = 5_000;

/**
 * Creates the only submission of this run. Repeats the request after a server error, but only once in a run, because
 * each request may be billed. If a refusal may be about links to earlier versions or metadata, the request is sent once
 * more without them.
 */
export async function submit(
  uploads: readonly UploadedContent[],
  given: Omit<NewSubmission, 'assets'> & {
    /** The submissions that hold the earlier versions of the contents, by content hash. */
    readonly previousSubmissionIds: ReadonlyMap<string, string>;
  },
  { client, log, deadline }: ServiceCalls,
): Promise<CreatedSubmission> {
  refuseSharedPaths(uploads);
  const isBilled = client.mode === 'live';
  /** The errors of requests that the service did not confirm. Each request may have created a submission. */
  const unconfirmed: ServiceError[] = [];
  const asGateError = (error: unknown): GateError => {
    const refusals = error instanceof ServiceError && !error.mayHaveArrived ? explainRefusal(error, uploads) : [];
    const doubts = explainDoubt(unconfirmed, isBilled, deadline.signal.aborted);
    return new GateError([...refusals, ...doubts], { cause: error });
  };
  let { previousSubmissionIds: links, ...submission } = given;
  let notice: string | undefined;
  let pauseMs = 0;
  for (;;) {
    try {
      await sleep(pauseMs, deadline.signal);
      const assets = uploads.map(({ blobPath, content }) => ({
        blobPath,
        previousSubmissionId: links.get(content.sha256),
      }));
      const { submissionId } = await client.createSubmission({ ...submission, assets }, deadline);
      log.info(`Submission ${submissionId} created with ${plural(uploads.length, 'asset')}`);
      if (unconfirmed[0]) {
        const doubt = `${unconfirmed[0].message}. It confirmed a later request. ${mayExist(2, isBilled)}.`;
        log.warning(isBilled ? `${doubt} ${CANCEL_OTHER}` : doubt);
      }
      return { submissionId, notice, mayExistTwice: unconfirmed.length > 0 };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw unconfirmed.length > 0 ? asGateError(error) : error;
      const { failureClass, mayHaveArrived } = error;
      if (mayHaveArrived) unconfirmed.push(error);
      const hasExtras = submission.metadata !== undefined || links.size > 0;
      if (failureClass === 'server error' && unconfirmed.length === 1) {
        log.info(`${error.message}; trying once more`);
        pauseMs = REPEAT_AFTER_MS;
      } else if (failureClass === 'missing' && links.size > 0 && notice === undefined) {
        links = await withoutMissing(links, { client, deadline });
        notice = describeRest(error, `${links.size > 0 ? 'some ' : ''}links to earlier versions`);
      } else if (failureClass === 'invalid' && hasExtras && notice === undefined) {
        [submission, links] = [{ ...submission, metadata: undefined }, new Map()];
        notice = describeRest(error, 'metadata and links to earlier versions');
      } else throw asGateError(error);
    }
  }
}

function describeRest({ message }: ServiceError, what: string): string {
  return `The submission was created without ${what}, because the service refused a request with them (${message}).`;
}

/** The links whose submission the service still has. None, if it has all of them: then another link was refused. */
async function withoutMissing(
  links: ReadonlyMap<string, string>,
  { client, deadline }: Pick<ServiceCalls, 'client' | 'deadline'>,
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(links.values())];
  const present = await concurrently(ids, MAX_CONCURRENT_REQUESTS, async (id) => {
    const response = await orError(client.readSubmission(id, deadline));
    return !(response instanceof ServiceError && response.failureClass === 'missing');
  });
  const kept = new Set(ids.filter((_, index) => present[index]));
  return kept.size === ids.length ? new Map() : new Map([...links].filter(([, id]) => kept.has(id)));
}

/** Adds to the input `metadata` how the service's staff can find the run. With `none`, no metadata are sent. */
export function metadataOf(
  given: Readonly<Record<string, unknown>> | 'none',
  { repository, commit, ref, runUrl }: Readonly<Record<'repository' | 'commit' | 'ref' | 'runUrl', string>>,
): Readonly<Record<string, unknown>> | undefined {
  return given === 'none' ? undefined : { repository, commit, ...(ref !== '' && { ref }), runUrl, ...given };
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

/** Says how many submissions may exist. @param wasStopped whether the run was cancelled during the request */
function explainDoubt(unconfirmed: readonly ServiceError[], isBilled: boolean, wasStopped: boolean): readonly Cause[] {
  const last = unconfirmed.at(-1);
  if (!last) return [];
  const { reason, message } = explain(last);
  const isNameless = unconfirmed.length === 1 && 'status' in last.failure && last.failure.status === 201;
  const existence = isNameless
    ? `One submission exists${isBilled ? ' and is billed' : ''}, but the response of the service does not name it.`
    : `${mayExist(unconfirmed.length, isBilled)}: the service confirmed none.`;
  const again = rerun('Re-run this job to have the files checked.', isBilled ? 'It sends and bills them.' : undefined);
  return [
    {
      reason: wasStopped ? 'cancelled' : reason,
      message: `${message} ${existence}`,
      steps: isBilled ? [again, accountOwner(CANCEL_OTHER)] : [again],
      submission: 'unconfirmed',
    },
  ];
}

function mayExist(count: number, isBilled: boolean): string {
  return `${count === 1 ? 'One submission' : 'Two submissions'} may exist${isBilled ? ' and be billed' : ''}`;
}

const CANCEL_OTHER =
  'If the service has another submission of these files and this time, that one is billed as well: ask its support to cancel it.';

/** From this number of assets on, a refusal may be about it. */
const MANY_ASSETS = 20;

function explainRefusal(error: ServiceError, uploads: readonly UploadedContent[]): readonly Cause[] {
  const cause = explain(error);
  if (cause.reason !== 'refused') return [cause];
  const isNamed = ({ content, blobPath }: UploadedContent): boolean =>
    uploads.length === 1 || error.failure.message.includes(content.name) || error.failure.message.includes(blobPath);
  const isAboutFile = ['forbidden', 'too large', 'wrong type'].includes(error.failureClass);
  const refused = isAboutFile ? uploads.filter(isNamed) : [];
  if (refused.length > 0) return refused.map(({ content }) => explain(error, content.file.path));
  const split = workflowOwner(
    `If ${plural(uploads.length, 'file')} are too many for one submission, check each folder in a separate job, as the example \`monorepo-matrix.yml\` does.`,
  );
  return [{ ...cause, steps: uploads.length >= MANY_ASSETS ? [...cause.steps, split] : cause.steps }];
}
