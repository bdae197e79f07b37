import type { SendableContent } from '../media/content.ts';

/**
 * Who sends what next. Large files need bandwidth, small ones wait for answers, so both are under way at the same time:
 * half of the lanes begin with the large ones, the largest first, so that none is left for the end; the others begin
 * with the small ones, which so never queue behind a large one. A lane whose own kind is gone helps the others.
 */
export class UploadQueue {
  readonly #large: SendableContent[];
  readonly #small: SendableContent[];
  readonly #largeLanes: number;

  /** @param mostBytes of a small file */
  constructor(contents: readonly SendableContent[], lanes: number, mostBytes: number) {
    this.#large = contents.filter(({ size }) => size > mostBytes).toSorted((a, b) => a.size - b.size);
    this.#small = contents.filter(({ size }) => size <= mostBytes).toReversed();
    this.#largeLanes = Math.ceil(lanes / 2);
  }

  /** @param lane counted from 0 */
  next(lane: number): SendableContent | undefined {
    const [own, others] = lane < this.#largeLanes ? [this.#large, this.#small] : [this.#small, this.#large];
    return own.pop() ?? others.pop();
  }
}
