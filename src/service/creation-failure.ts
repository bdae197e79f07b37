import { accountOwner, type Cause, rerun, workflowOwner } from '../lib/cause.ts';
import { formatList, plural } from '../lib/format.ts';
import { explain } from './advice.ts';
import type { Mode } from './endpoints.ts';
import { type FailureClass, ServiceError } from './service-error.ts';
import type { UploadedContent } from './upload.ts';

const MAX_CANDIDATES = 20;

/** With this many assets or more, the service may refuse a submission because of their number. */
const MANY_ASSETS = 20;
/** The smallest size limit of a category. Many files of which none is larger are too many, not too large. */
const MIN_SIZE_CAP = 50_000_000;

/** With these failures the service refuses one of the files, but does not say which. */
const ABOUT_SOME_FILE: readonly FailureClass[] = ['forbidden', 'too large', 'wrong type'];

/** With these failures the number of assets may be too large. */
const ABOUT_NUMBER: readonly FailureClass[] = ['invalid', 'too large', 'page'];

/** The facts about a creation that messages need. A run creates at most one submission. */
export interface Creation {
  readonly uploads: readonly UploadedContent[];
  readonly mode: Mode;
  readonly at: Date;
  /** The errors of requests that the service did not confirm. Each request may have created a submission. */
  readonly unconfirmed: ServiceError[];
}

/** Why no submission was confirmed. @param wasStopped whether the run was cancelled during the request */
export function explainCreation(error: unknown, creation: Creation, wasStopped: boolean): readonly Cause[] {
  const isRefused = error instanceof ServiceError && !error.mayHaveArrived;
  const refusals = isRefused ? explainRefusal(error, creation) : [];
  const last = creation.unconfirmed.at(-1);
  if (!last) return refusals;
  const reason = wasStopped ? 'cancelled' : explain(last).reason;
  const message = `${explain(last).message} ${existence(creation)}`;
  const isLive = creation.mode === 'live';
  const again = rerun('Re-run this job to have the files checked.', isLive ? 'It sends and bills them.' : undefined);
  const steps = isLive ? [again, accountOwner(cancelOther(creation))] : [again];
  return [...refusals, { reason, message, steps, submission: 'unconfirmed' }];
}

function existence({ unconfirmed: [error, ...others], mode }: Creation): string {
  const may = mode === 'live' ? 'may exist and be billed' : 'may exist';
  if (others.length > 0) return `Two submissions ${may}: the service confirmed neither.`;
  if (!error || !('status' in error.failure) || error.failure.status !== 201)
    return `One submission ${may}: the service did not confirm it.`;
  return `One submission exists${mode === 'live' ? ' and is billed' : ''}, but the response of the service does not name it.`;
}

/** The warning for a submission that the service confirmed only after the request was repeated. */
export function describeDouble(error: ServiceError, creation: Creation): string {
  const start = `${error.message}. It confirmed the second request. Two submissions may exist`;
  return creation.mode === 'sandbox' ? `${start}.` : `${start} and be billed. ${cancelOther(creation)}`;
}

function cancelOther({ uploads, at }: Creation): string {
  const time = at.toISOString().slice(0, 16).replace('T', ' ');
  return `If the service has another submission with ${plural(uploads.length, 'asset')}, created about ${time} UTC, that one is billed as well: ask its support to cancel it.`;
}

function explainRefusal(error: ServiceError, { uploads }: Creation): readonly Cause[] {
  const cause = explain(error);
  const { failureClass } = error;
  if (cause.reason !== 'refused') return [cause];
  const isAboutFile = ABOUT_SOME_FILE.includes(failureClass);
  const refused = uploads.length === 1 ? uploads : namedIn(error, uploads);
  if (isAboutFile && refused.length > 0) return refused.map(({ content }) => ({ ...cause, path: content.file.path }));
  // The detail gives the number of assets, because the service may limit this number without saying so.
  const detail = [cause.detail, `The submission held ${plural(uploads.length, 'asset')}.`].filter(Boolean).join(' ');
  const mayBeTooMany = uploads.length >= MANY_ASSETS && ABOUT_NUMBER.includes(failureClass);
  const split = workflowOwner(
    `If ${plural(uploads.length, 'file')} are too many for one submission, check each folder in a separate job, as the example \`large-library.yml\` does.`,
  );
  const steps = mayBeTooMany ? [...cause.steps, split] : cause.steps;
  if (!isAboutFile) return [{ ...cause, detail, steps }];
  if (mayBeTooMany && uploads.every(({ content }) => content.size <= MIN_SIZE_CAP))
    return [{ ...cause, message: 'The compliance service does not accept this submission.', detail, steps: [split] }];
  const paths = formatList(uploads.map(({ content }) => content.file.path).toSorted(), MAX_CANDIDATES);
  const message = `${cause.message} The service does not name the file: it is one of ${paths}.`;
  return [{ ...cause, message, detail, steps }];
}

function namedIn({ failure: { message } }: ServiceError, uploads: readonly UploadedContent[]) {
  return uploads.filter(({ content, blobPath }) => message.includes(content.name) || message.includes(blobPath));
}
