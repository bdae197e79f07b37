/** Coverage: which branches of src/ the tests take, those included that they take in processes of the action. */
import { fileURLToPath } from 'node:url';
import { execute } from '../../scripts/own-packages.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** @returns whether all tests passed; whether they take enough is for a reader to judge */
export async function countCoverage(): Promise<boolean> {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'deep/coverage/vitest.config.ts'];
  return execute(process.execPath, vitest, ROOT) === 0;
}
