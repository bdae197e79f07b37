/** Where a submission comes from. */
interface Origin {
  readonly repository: string;
  readonly commit: string;
  readonly ref: string;
  readonly runUrl: string;
}

/**
 * What the service keeps beside the submission, so that a person there finds the way back to the run.
 *
 * @param given the input `metadata`; `none` sends none, not even ours
 */
export function metadataOf(
  given: Readonly<Record<string, unknown>> | 'none',
  { repository, commit, ref, runUrl }: Origin,
): Readonly<Record<string, unknown>> | undefined {
  return given === 'none' ? undefined : { repository, commit, ref, runUrl, ...given };
}
