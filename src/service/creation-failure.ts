import type { Cause } from '../lib/cause.ts';
import { plural } from '../lib/format.ts';
import { explain, type ServiceError } from './service-error.ts';
import type { UploadedContent } from './upload.ts';

const MAX_CANDIDATES = 20;

/** The statuses that blame a file without saying in which field. */
const ABOUT_SOME_FILE: readonly (number | undefined)[] = [403, 413, 415];

/**
 * Why there is no submission, or why nobody knows whether there is one.
 *
 * @param wasStopped the run was told to stop while the request was under way
 */
export function explainCreation(
  error: ServiceError,
  uploads: readonly UploadedContent[],
  wasStopped: boolean,
): readonly Cause[] {
  const cause = explain(error);
  if (mayHaveArrived(error)) return [uncertain(cause, uploads, wasStopped)];
  if (ABOUT_SOME_FILE.includes(error.status)) return blamed(error, cause, uploads);
  const isRefusal = cause.reason === 'refused' || cause.reason === 'bad-input';
  return [isRefusal ? { ...cause, message: `${cause.message} ${sizeOf(uploads)}` } : cause];
}

function mayHaveArrived({ operation, failure, status }: ServiceError): boolean {
  if (operation !== 'creating the submission') return false;
  if (failure.kind === 'connection') return failure.error.maybeReceived;
  // Also after a last 500 or 502: none of them says how far the request came.
  return failure.kind === 'unreadable' || (status !== undefined && status >= 500);
}

function uncertain(cause: Cause, uploads: readonly UploadedContent[], wasStopped: boolean): Cause {
  const look =
    'Look in the service for a submission of this run before you re-run the job: a second one is paid for, too.';
  return {
    ...cause,
    reason: wasStopped ? 'cancelled' : cause.reason,
    message: `${cause.message} The request may have arrived all the same: a submission with ${plural(uploads.length, 'asset')} may exist and be billed.`,
    fix: wasStopped ? look : `${look} ${cause.fix}`,
  };
}

/** Where the service names the file, the cause is that file's; otherwise all that it can be are told. */
function blamed({ failure }: ServiceError, cause: Cause, uploads: readonly UploadedContent[]): readonly Cause[] {
  const words = failure.kind === 'status' ? failure.message : '';
  const named = uploads.filter(({ content, blobPath }) => words.includes(content.name) || words.includes(blobPath));
  const guilty = uploads.length === 1 ? uploads : named;
  if (guilty.length > 0) return guilty.map(({ content }) => ({ ...cause, path: content.file.path }));
  return [
    {
      ...cause,
      message: `${cause.message} ${sizeOf(uploads)} The service does not say which file it means: it is one of ${candidates(uploads)}.`,
    },
  ];
}

function candidates(uploads: readonly UploadedContent[]): string {
  const names = uploads.slice(0, MAX_CANDIDATES).map(({ content }) => content.file.path);
  const more = uploads.length - names.length;
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** A service may limit the number of assets without saying so. */
function sizeOf(uploads: readonly UploadedContent[]): string {
  return `The submission held ${plural(uploads.length, 'asset')}.`;
}
