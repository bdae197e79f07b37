import type { Cause } from '../lib/cause.ts';
import { formatList, plural } from '../lib/format.ts';
import { explain } from './advice.ts';
import type { ServiceError } from './service-error.ts';
import type { UploadedContent } from './upload.ts';

const MAX_CANDIDATES = 20;

/** The statuses that refuse a file without a field that names it. */
const ABOUT_SOME_FILE: readonly (number | undefined)[] = [403, 413, 415];

/**
 * Why there is no submission, or why it is unknown whether there is one.
 *
 * @param wasStopped the run was stopped while the request was under way
 */
export function explainCreation(
  error: ServiceError,
  uploads: readonly UploadedContent[],
  wasStopped: boolean,
): readonly Cause[] {
  const cause = explain(error);
  if (mayHaveArrived(error)) return [explainUncertainty(cause, uploads, wasStopped)];
  if (ABOUT_SOME_FILE.includes(error.status)) return explainRefusedFile(error, cause, uploads);
  const isRefusal = cause.reason === 'refused' || cause.reason === 'bad-input';
  return [isRefusal ? { ...cause, message: `${cause.message} ${sizeOf(uploads)}` } : cause];
}

function mayHaveArrived({ operation, failure, status }: ServiceError): boolean {
  if (operation !== 'creating the submission') return false;
  if (failure.kind === 'connection') return failure.error.maybeReceived;
  // Also after the last 500 or 502: neither says how far the request came.
  return failure.kind === 'unreadable' || (status !== undefined && status >= 500);
}

function explainUncertainty(cause: Cause, uploads: readonly UploadedContent[], wasStopped: boolean): Cause {
  const look =
    'Look in the service for a submission of this run before you re-run the job: a second submission is billed again.';
  return {
    ...cause,
    reason: wasStopped ? 'cancelled' : cause.reason,
    message: `${cause.message} The request may still have arrived: a submission with ${plural(uploads.length, 'asset')} may exist and be billed.`,
    fix: wasStopped ? look : `${look} ${cause.fix}`,
    mayBeBilled: true,
  };
}

/** If the service names the file, the cause is that file's; otherwise every file that it may be is listed. */
function explainRefusedFile(
  { failure }: ServiceError,
  cause: Cause,
  uploads: readonly UploadedContent[],
): readonly Cause[] {
  const message = failure.kind === 'status' ? failure.message : '';
  const named = uploads.filter(({ content, blobPath }) => message.includes(content.name) || message.includes(blobPath));
  const refused = uploads.length === 1 ? uploads : named;
  const paths = uploads.map(({ content }) => content.file.path);
  if (refused.length > 0) return refused.map(({ content }) => ({ ...cause, path: content.file.path }));
  return [
    {
      ...cause,
      message: `${cause.message} ${sizeOf(uploads)} The service does not say which file it means: it is one of ${formatList(paths, MAX_CANDIDATES)}.`,
    },
  ];
}

/** The number is shown because a service may limit it without saying so. */
function sizeOf(uploads: readonly UploadedContent[]): string {
  return `The submission held ${plural(uploads.length, 'asset')}.`;
}
