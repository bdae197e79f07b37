/** The service caps sizes by category. */
export type Category = 'video' | 'audio' | 'image' | 'document';

/** What a file is: by its bytes, or by its extension if they do not say. */
export interface MediaType {
  readonly mime: string;
  /** Without the dot. */
  readonly extension: string;
  /** Undefined for a type that is not in our table: the service decides whether it takes it. */
  readonly category: Category | undefined;
}

/** A file that a pattern matched. */
export interface FoundFile {
  /** Relative to the folder that is searched, with forward slashes on every system. */
  readonly path: string;
  readonly absolutePath: string;
}

/** Shows whether a file is still the one that was inspected. */
export interface FileStamp {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ino: number;
}

/** A file that can be sent. */
export interface MediaFile extends FoundFile {
  readonly stamp: FileStamp;
  /** Hex. */
  readonly sha256: string;
  readonly type: MediaType;
}

/** discover → inspect */
export interface Discovery {
  /** Sorted by path. */
  readonly files: readonly FoundFile[];
  /** Patterns without a match, symbolic links left out. */
  readonly notices: readonly string[];
}
