import { accountOwner, type Cause, rerun, workflowOwner } from '../lib/cause.ts';
import { formatList, plural } from '../lib/format.ts';
import { explain } from './advice.ts';
import type { FailureClass } from './failure.ts';
import { ServiceError } from './service-error.ts';
import type { UploadedContent } from './upload.ts';

const MAX_CANDIDATES = 20;

/** With this many assets or more, the service may refuse a submission because of their number. */
const MANY_ASSETS = 20;
const SPLIT = workflowOwner(
  'If these are too many assets for one submission, check each folder in a separate job, as the example `large-library.yml` does.',
);

/** With these failures the service refuses one of the files, but does not say which. */
const ABOUT_SOME_FILE: readonly FailureClass[] = ['forbidden', 'too large', 'wrong type'];

/** The facts about a creation that messages need. A run creates at most one submission. */
export interface Creation {
  readonly uploads: readonly UploadedContent[];
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
  readonly at: Date;
  /** The errors of requests that the service did not confirm. Each request may have created a submission. */
  readonly unconfirmed: ServiceError[];
}

/** Why no submission was confirmed. @param wasStopped whether the run was cancelled during the request */
export function explainCreation(error: unknown, creation: Creation, wasStopped: boolean): readonly Cause[] {
  const isRefused = error instanceof ServiceError && !error.mayHaveArrived;
  const refusals = isRefused ? explainRefusal(error, creation.uploads) : [];
  const last = creation.unconfirmed.at(-1);
  if (!last) return refusals;
  const reason = wasStopped ? 'cancelled' : explain(last).reason;
  const message = `${explain(last).message} ${existence(creation.unconfirmed)}`;
  const steps = [
    rerun('Re-run this job to have the files checked.', 'It sends and bills them.'),
    accountOwner(
      `If the service already has a submission with ${identify(creation)}, that one is billed as well: ask its support to cancel it.`,
    ),
  ];
  return [...refusals, { reason, message, steps, submission: 'unconfirmed' }];
}

function existence([error, ...others]: readonly ServiceError[]): string {
  if (others.length > 0) return 'Two submissions may exist and be billed: the service confirmed neither.';
  return error?.failure.kind === 'unreadable' && error.failure.status === 201
    ? 'One submission exists and is billed, but the response of the service does not name it.'
    : 'One submission may exist and be billed: the service did not confirm it.';
}

/** The warning for a submission that the service confirmed only after the request was repeated. */
export function describeDouble(error: ServiceError, creation: Creation): string {
  return `${error.message}, and confirmed the second request. Two submissions may exist and be billed: if the service has another one with ${identify(creation)}, ask its support to cancel it.`;
}

function explainRefusal(error: ServiceError, uploads: readonly UploadedContent[]): readonly Cause[] {
  const cause = explain(error);
  if (cause.reason !== 'refused' && cause.reason !== 'bad-input') return [cause];
  // The detail gives the number of assets, because the service may limit this number without saying so.
  const detail = [cause.detail, `The submission held ${plural(uploads.length, 'asset')}.`].filter(Boolean).join(' ');
  if (!ABOUT_SOME_FILE.includes(error.failureClass)) {
    const isTooLarge = error.failureClass === 'invalid' && uploads.length >= MANY_ASSETS;
    return [{ ...cause, detail, steps: isTooLarge ? [...cause.steps, SPLIT] : cause.steps }];
  }
  const refused = uploads.length === 1 ? uploads : namedIn(error, uploads);
  if (refused.length > 0) return refused.map(({ content }) => ({ ...cause, path: content.file.path }));
  const paths = formatList(uploads.map(({ content }) => content.file.path).toSorted(), MAX_CANDIDATES);
  const message = `${cause.message} The service does not name the file: it is one of ${paths}.`;
  return [{ ...cause, message, detail }];
}

/** For example "20 assets, created about 2026-11-15 18:43 UTC, with the metadata repository acme/campaigns" */
function identify({ uploads, metadata, at }: Creation): string {
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
