import { shorten } from '../http/error-body.ts';
import type { ConnectionError } from '../http/http.ts';

/** Why one try of a request did not bring what was asked for. */
export type Failure =
  /** Any status but the one that was asked for. */
  | {
      readonly kind: 'status';
      readonly status: number;
      /** What the other side said, without secrets. */
      readonly words: string;
      readonly location: string | undefined;
      readonly retryAfter: string | undefined;
    }
  /** No answer. */
  | { readonly kind: 'connection'; readonly error: ConnectionError }
  /** The right status with an answer that does not hold what the contract says. */
  | {
      readonly kind: 'unreadable';
      readonly words: string;
      /** It was the service that spoke, though not as agreed; otherwise something stood in its place. */
      readonly isJson: boolean;
    };

/**
 * What happened, in words that fit behind "The service" or "The storage".
 *
 * @param meanwhile what it was asked for, such as " while uploading"
 */
export function describe(failure: Failure, meanwhile = ''): string {
  switch (failure.kind) {
    case 'status':
      return `answered ${failure.status}${meanwhile}${failure.words && `: ${shorten(failure.words)}`}`;
    case 'connection':
      return `did not answer${meanwhile}: ${failure.error.what}`;
    case 'unreadable':
      return `gave an answer${meanwhile} that could not be read: ${failure.words}`;
  }
}

export function isRateLimit(failure: Failure): boolean {
  return failure.kind === 'status' && failure.status === 429;
}
