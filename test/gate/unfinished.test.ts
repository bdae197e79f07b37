import { expect, it } from 'vitest';
import { runAction } from '../harness/run-action.ts';
import { makeWorkspace } from '../harness/workspace.ts';

/** Loaded into the action's process: reading a directory never ends, and nothing else keeps the process alive. */
const NEVER = `data:text/javascript,${encodeURIComponent(`import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
fs.readdir = () => new Promise(() => {});
syncBuiltinESMExports();`)}`;

it('a run that ends before its verdict does not pass', async () => {
  await using workspace = await makeWorkspace({ 'a.png': 'a' });
  const { exitCode, outputs, annotations } = await runAction({
    workspace: workspace.path,
    inputs: { 'dry-run': 'true' },
    env: { NODE_OPTIONS: `--import=${NEVER}` },
  });
  expect(exitCode).toBe(1);
  expect(outputs).toEqual({});
  expect(annotations).toMatchObject([{ level: 'warning', message: expect.stringContaining('without a verdict') }]);
});
