/** `npm run test:deep` and `.ci/run` run every generated case. */
export const isDeep = process.env['TEST_DEEP'] !== undefined;

/** `npm test` runs every nth of the generated cases. */
export function sample<T>(cases: readonly T[], step: number): readonly T[] {
  return isDeep ? cases : every(cases, step);
}

export function every<T>(cases: readonly T[], step: number): readonly T[] {
  return cases.filter((_, index) => index % step === 0);
}
