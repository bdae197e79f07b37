/**
 * Where the run tells a person how it goes. Every text is data: an implementation must make sure that a file name or a
 * service's words can never become a workflow command.
 */
export interface Log {
  info(text: string): void;
  notice(text: string): void;
  warning(text: string): void;
  /** Folds everything logged inside `work` under one title. */
  group<T>(title: string, work: () => Promise<T>): Promise<T>;
}
