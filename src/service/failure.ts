import { shorten } from '../http/error-body.ts';
import type { ConnectionError } from '../http/http.ts';

/** Why one try of a request did not bring the expected answer. */
export type Failure =
  /** Any other status than 2xx. */
  | {
      readonly kind: 'status';
      readonly status: number;
      /** The other side's own explanation, without secrets. */
      readonly message: string;
      readonly location: string | undefined;
      readonly retryAfter: string | undefined;
    }
  /** No complete answer. */
  | { readonly kind: 'connection'; readonly error: ConnectionError }
  /** 2xx, with an answer that does not hold what the contract says. */
  | {
      readonly kind: 'unreadable';
      readonly message: string;
      /** True if the service itself answered, against its contract; otherwise something else answered in its place. */
      readonly isJson: boolean;
    };

/**
 * What happened, to be put after "The service" or "The storage".
 *
 * @param during what the request was for, such as " while uploading"
 */
export function formatFailure(failure: Failure, during = ''): string {
  switch (failure.kind) {
    case 'status':
      return `answered ${failure.status}${during}${failure.message && `: ${shorten(failure.message)}`}`;
    case 'connection':
      return `did not answer${during}: ${failure.error.what}`;
    case 'unreadable':
      return `gave an answer${during} that could not be read: ${failure.message}`;
  }
}

export function isRateLimit(failure: Failure): boolean {
  return failure.kind === 'status' && failure.status === 429;
}

/** True if the name of the host does not exist: a mistake in an address, not an outage. */
export function isUnknownHost(failure: Failure): boolean {
  return failure.kind === 'connection' && failure.error.unknownHost !== undefined;
}
