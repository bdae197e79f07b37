import { accountOwner, type Cause, rerun } from '../lib/cause.ts';
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
  if (mayHaveArrived(error)) {
    const reason = attempt.wasStopped ? 'cancelled' : cause.reason;
    const message = `The service did not confirm the submission. It may exist and be billed. (${error.message}.)`;
    const steps = [
      rerun('Re-run this job to have the files checked.', 'It sends and bills them.'),
      accountOwner(
        `If the service already has a submission with ${identify(attempt)}, that one is billed as well: ask its support to cancel it.`,
      ),
    ];
    return [{ reason, message, steps, submission: 'unconfirmed' }];
  }
  if (cause.reason !== 'refused' && cause.reason !== 'bad-input') return [cause];
  // A service may limit the number without saying so.
  const message = `${cause.message} The submission held ${plural(uploads.length, 'asset')}.`;
  if (!ABOUT_SOME_FILE.includes(error.status)) return [{ ...cause, message }];
  const refused = uploads.length === 1 ? uploads : namedIn(error, uploads);
  if (refused.length > 0) return refused.map(({ content }) => ({ ...cause, path: content.file.path }));
  const paths = formatList(uploads.map(({ content }) => content.file.path).toSorted(), MAX_CANDIDATES);
  return [{ ...cause, message: `${message} The service does not say which file it means: it is one of ${paths}.` }];
}

function mayHaveArrived({ failure, status }: ServiceError): boolean {
  if (failure.kind === 'connection') return failure.error.facts.maybeReceived;
  // Also after the last 500 or 502, although they are repeated: neither says how far the request came.
  return failure.kind === 'unreadable' || (status !== undefined && status >= 500);
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

function namedIn({ failure }: ServiceError, uploads: readonly UploadedContent[]): readonly UploadedContent[] {
  const message = failure.kind === 'status' ? failure.message : '';
  return uploads.filter(({ content, blobPath }) => message.includes(content.name) || message.includes(blobPath));
}
