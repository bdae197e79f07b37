/**
 * The log of the step. Implementations escape every text, so that a file name or a message of the service can never
 * become a workflow command.
 */
export interface Log {
  info(text: string): void;
  notice(text: string): void;
  warning(text: string): void;
  /** Groups everything that `work` logs under one title that can be folded. */
  group<T>(title: string, work: () => Promise<T>): Promise<T>;
}
