export type Level = 'error' | 'warning' | 'notice';

/** An annotation of a file. Its texts are not escaped yet: the runner does that when it prints them. */
export interface Annotation {
  readonly level: Level;
  readonly title: string;
  readonly message: string;
  readonly path?: string;
  readonly line?: number;
}
