export type Level = 'error' | 'warning' | 'notice';

/** A mark beside a file in the pull request. Texts are plain: whoever prints them escapes them for the runner. */
export interface Annotation {
  readonly level: Level;
  readonly title: string;
  readonly message: string;
  readonly path?: string;
  readonly line?: number;
}
