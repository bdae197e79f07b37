/**
 * The log of the step. An implementation escapes every text, so that a file name or a service message can never become a
 * workflow command.
 */
export interface Log {
  info(text: string): void;
  notice(text: string): void;
  warning(text: string): void;
  /** Folds everything logged inside `work` under one title. */
  group<T>(title: string, work: () => Promise<T>): Promise<T>;
}
