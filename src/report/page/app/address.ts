import { BOXES, type Box } from './entries.ts';
import { FACET_NAMES, type View } from './filter.ts';

/** A view, and the entry that is open in it. */
export interface Place extends View {
  /** Undefined if none was chosen: then a wide screen shows the first one. */
  readonly at: string | undefined;
}

/** The part of the address after `#` is the only place where a view is kept. */
export function formatPlace({ box, query, chosen, at }: Place, usualBox: Box): string {
  const parameters = new URLSearchParams();
  if (at !== undefined) parameters.set('at', at);
  if (box !== usualBox) parameters.set('box', box);
  if (query.trim() !== '') parameters.set('q', query);
  for (const facet of FACET_NAMES) for (const value of chosen[facet] ?? []) parameters.append(facet, value);
  return parameters.toString();
}

export function readPlace(hash: string, usualBox: Box): Place {
  const parameters = new URLSearchParams(hash.replace(/^#/, ''));
  const facets = FACET_NAMES.filter((facet) => parameters.has(facet));
  return {
    box: BOXES.find((box) => box === parameters.get('box')) ?? usualBox,
    query: parameters.get('q') ?? '',
    chosen: Object.fromEntries(facets.map((facet) => [facet, parameters.getAll(facet)])),
    at: parameters.get('at') ?? undefined,
  };
}
