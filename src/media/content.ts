import type { MediaFile } from './file.ts';

/** The same bytes, wherever they lie in the repository: one asset at the service. */
export interface Content {
  readonly sha256: string;
  readonly size: number;
  /** Sorted; at least one. */
  readonly paths: readonly string[];
  /** Undefined where only Git LFS pointers stand for it: then it can be reused, but not sent. */
  readonly file: MediaFile | undefined;
  /** What the service is, or was, told as its file name: one name means one content. */
  readonly name: string;
}

/** A content with the file that is sent for it. */
export interface SendableContent extends Content {
  readonly file: MediaFile;
}
