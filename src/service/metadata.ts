import type { RunContext } from '../github/context.ts';
import type { Inputs } from '../inputs/inputs.ts';

/** What the service keeps beside the submission, so that a person there finds the way back to the run. */
export function metadataOf(
  { metadata }: Pick<Inputs, 'metadata'>,
  { repository, commit, ref, runUrl }: RunContext,
): Readonly<Record<string, unknown>> | undefined {
  return metadata === 'none' ? undefined : { repository, commit, ref, runUrl, ...metadata };
}
