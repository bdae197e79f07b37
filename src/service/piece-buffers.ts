/** Most bytes of files that are held in memory at a time, over all uploads. */
export const BYTES_IN_FLIGHT = 16 * 1024 * 1024;
/** Of an upload: two that take turns, and as many copies where it goes through a proxy. */
const PIECES_HELD = 4;
/** Small enough that a slow link moves a piece well within a stall's patience, large enough to be fast. */
const MAX_PIECE_BYTES = 512 * 1024;

/**
 * The memory that files are read into on their way. It is shared out among the uploads, so that it does not grow with
 * their number, and used again, so that it does not grow with the number of files: what is thrown away is memory, too,
 * until somebody cleans up.
 */
export class PieceBuffers {
  readonly pieceBytes: number;
  readonly #free: Buffer[] = [];

  /** @param uploads most at a time */
  constructor(uploads: number) {
    this.pieceBytes = Math.min(MAX_PIECE_BYTES, Math.floor(BYTES_IN_FLIGHT / PIECES_HELD / uploads));
  }

  take(): Buffer {
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(this.pieceBytes);
  }

  /** Only what nobody will read any more: it may be another file's at once. */
  giveBack(buffer: Buffer): void {
    this.#free.push(buffer);
  }
}
