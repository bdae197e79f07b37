import type { Cause } from '../lib/cause.ts';
import { formatList, plural } from '../lib/format.ts';
import { explain } from './advice.ts';
import type { ServiceError } from './service-error.ts';
import type { UploadedContent } from './upload.ts';

const MAX_CANDIDATES = 20;

/** The statuses that refuse a file without a field that names it. */
const ABOUT_SOME_FILE: readonly (number | undefined)[] = [403, 413, 415];

/** What identifies the submission at the service. */
export interface CreationAttempt {
  readonly uploads: readonly UploadedContent[];
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
  readonly at: Date;
  /** The run was stopped while the request was under way. */
  readonly wasStopped: boolean;
}

/** Why there is no submission, or why it is unknown whether there is one. */
export function explainCreation(error: ServiceError, attempt: CreationAttempt): readonly Cause[] {
  const { uploads } = attempt;
  const cause = explain(error);
  if (mayHaveArrived(error)) return [explainUncertainty(error, cause, attempt)];
  if (ABOUT_SOME_FILE.includes(error.status)) return explainRefusedFile(error, cause, uploads);
  const isRefusal = cause.reason === 'refused' || cause.reason === 'bad-input';
  return [isRefusal ? { ...cause, message: `${cause.message} ${sizeOf(uploads)}` } : cause];
}

function mayHaveArrived({ operation, failure, status }: ServiceError): boolean {
  if (operation !== 'creating the submission') return false;
  if (failure.kind === 'connection') return failure.error.maybeReceived;
  // Also after the last 500 or 502, although they are repeated: neither says how far the request came.
  return failure.kind === 'unreadable' || (status !== undefined && status >= 500);
}

function explainUncertainty(error: ServiceError, cause: Cause, attempt: CreationAttempt): Cause {
  const look = `Look in the service for a submission with ${identify(attempt)}. If it is there, read its results there: a re-run submits and bills all of it again. If it is not there, re-run the job.`;
  return {
    reason: attempt.wasStopped ? 'cancelled' : cause.reason,
    message: `The service did not confirm the submission (${describeFailure(error)}). It may exist and be billed.`,
    fix: attempt.wasStopped ? look : `${error.message}. ${look}`,
    submission: 'unconfirmed',
  };
}

function describeFailure({ failure }: ServiceError): string {
  switch (failure.kind) {
    case 'status':
      return String(failure.status);
    case 'connection':
      return failure.error.what;
    case 'unreadable':
      return 'its response could not be read';
  }
}

/** "20 assets, created about 2026-11-15 18:43 UTC, with the metadata repository acme/campaigns" */
function identify({ uploads, metadata, at }: CreationAttempt): string {
  const time = at.toISOString().slice(0, 16).replace('T', ' ');
  const named = ['repository', 'commit'].flatMap((key) => {
    const value = metadata?.[key];
    return typeof value === 'string' && value !== '' ? [`${key} ${value}`] : [];
  });
  const origin = named.length === 0 ? '' : `, with the metadata ${named.join(' and ')}`;
  return `${plural(uploads.length, 'asset')}, created about ${time} UTC${origin}`;
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
