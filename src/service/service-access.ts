export type Mode = 'live' | 'sandbox';

/** How to reach the service. */
export interface ServiceAccess {
  readonly apiKey: string;
  readonly mode: Mode;
  /** Ends in `/api/integrations`, without a trailing slash. */
  readonly baseUrl: string;
}

export type SandboxEvent = 'asset.processing.completed' | 'asset.processing.failed';
