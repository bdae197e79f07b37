/**
 * Saves states that the built action really writes, so that the tests of later versions can read them:
 * `node scripts/save-states.ts v1.2.3`.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Emulator, startEmulator } from '../emulator/emulator.ts';
import { pushEvent } from '../test/harness/events.ts';
import { startGitHub } from '../test/harness/github-server.ts';
import { type ActionOptions, runAction } from '../test/harness/run-action.ts';
import { KEPT_OUTPUTS, OLD_FILES, OLD_KEY, OLD_SCENARIO, type SavedWorld } from '../test/harness/saved-world.ts';
import { makeWorkspace, writeFiles } from '../test/harness/workspace.ts';

/**
 * Run 41 has results: clean, with issues, and failed for good. Run 42 is killed while one more file is analysed. Run 43 shows
 * how this version judges the states of both.
 */
async function saveWorld(emulator: Emulator, place: 'artifact' | 'state-file'): Promise<SavedWorld> {
  const { 'slow.png': slow, ...files } = OLD_FILES;
  await using checkout = await makeWorkspace(files);
  const workspace = checkout.path;
  await using temp = await makeWorkspace({});
  const stateFile = path.join(temp.path, 'state.json');
  const service = emulator.workspace({ scenario: OLD_SCENARIO });
  await using github = await startGitHub();
  const { artifacts } = github;
  const run = async (runId: number, options: Partial<ActionOptions> = {}) => {
    const commit = String(runId).repeat(20);
    await writeFiles(workspace, { '.git/HEAD': commit });
    const { ref, ...event } = pushEvent(commit);
    const inputs = {
      'state-key': OLD_KEY,
      'report-artifact': 'false',
      ...(place === 'state-file' && { 'state-file': stateFile }),
    };
    const env = { GITHUB_SHA: commit, GITHUB_REF: ref };
    const given = { runId, workspace, service, github, artifacts, event, inputs, env };
    return await runAction({ clockFactor: 1, ...given, ...options });
  };
  await run(41);
  await writeFiles(workspace, { 'slow.png': slow });
  await run(42, {
    onLine: (line, kill) => {
      if (/^Submission .*: processing/.test(line)) kill('SIGKILL');
    },
  });
  service.finishAnalyses();
  const saved = {
    savedAt: new Date().toISOString(),
    submissions: structuredClone(service.submissions),
    artifacts: artifacts.artifacts.toReversed().map(({ id, name, workflow_run: uploadedBy }) => ({
      name,
      uploadedBy,
      archive: Buffer.from(artifacts.archives[id] ?? []).toString('base64'),
    })),
    ...(place === 'state-file' && { stateFile: await readFile(stateFile, 'utf8') }),
  };
  const { outputs } = await run(43);
  return { ...saved, outputs: Object.fromEntries(KEPT_OUTPUTS.map((name) => [name, outputs[name] ?? ''])) };
}

const [version = 'unnamed'] = process.argv.slice(2);
const emulator = await startEmulator();
const worlds = [await saveWorld(emulator, 'artifact'), await saveWorld(emulator, 'state-file')];
await emulator.close();
const file = fileURLToPath(new URL(`../test/gate/saved-states/${version}.json`, import.meta.url));
await writeFile(file, `${JSON.stringify(worlds, undefined, 2)}\n`);
console.log(`Wrote ${file}. Run \`npm run format\`.`);
