import { MAX_PAGES } from '../github/api.ts';
import type { Artifact } from '../github/api-schemas.ts';
import { artifactName, type Slot } from './gate-id.ts';
import { describeStateProblem } from './seal.ts';
import { isTooLarge, type StateOptions } from './state-artifact.ts';

/** Listing ends after this many artifacts of the repository's own runs. Expired artifacts are not counted. */
const MAX_OWN = 300;

/** By the reason for each notice, so that a reason is reported once. */
export type Notices = Map<string, string>;

/**
 * Lists the artifacts that may be downloaded, each name of the gate at most once. All lists together have at most 30
 * pages.
 */
export function artifactLists(
  { api, inputs, binding }: Pick<StateOptions, 'api' | 'inputs' | 'binding'>,
  notices: Notices,
) {
  const lists = new Map<Slot, Promise<readonly Artifact[]>>();
  let pages = 0;
  let expired: Artifact | undefined;

  async function list(slot: Slot): Promise<readonly Artifact[]> {
    if (pages >= MAX_PAGES) return [];
    const name = artifactName(inputs.name, slot, binding);
    let own = 0;
    const isEnough = (): boolean => own >= MAX_OWN || pages >= MAX_PAGES;
    const listed = await api.artifacts(name, (page) => {
      pages += 1;
      own += page.filter(({ isOwn, isExpired }) => isOwn && !isExpired).length;
      return isEnough();
    });
    if (isEnough())
      notices.set(
        name,
        `GitHub has more artifacts called ${name} than are looked at, so files that were analysed long ago may be sent and billed again. If that happens, delete old artifacts.`,
      );
    expired ??= listed.find(({ isOwn, isExpired }) => isOwn && isExpired);
    const present = listed.filter(({ isExpired }) => !isExpired);
    const tooLarge = present.find((artifact) => artifact.isOwn && isTooLarge(artifact));
    if (tooLarge) notices.set('unreadable', describeStateProblem('unreadable', tooLarge));
    return present.filter((artifact) => !isTooLarge(artifact));
  }

  return {
    of: async (slots: readonly Slot[]): Promise<readonly Artifact[]> => {
      const found: Artifact[] = [];
      for (const slot of slots) {
        const listing = lists.get(slot) ?? list(slot);
        lists.set(slot, listing);
        found.push(...(await listing));
      }
      return found;
    },
    /** Whether there may be artifacts that were not listed. */
    isCutOff: () => pages >= MAX_PAGES,
    /** An artifact of a run of this repository that has expired. */
    expired: () => expired,
  };
}
