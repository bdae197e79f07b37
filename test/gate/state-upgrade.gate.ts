import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect } from 'vitest';
import { it } from '../harness/fixtures.ts';
import { OLD_FILES, OLD_KEY, OLD_SCENARIO, type SavedWorld } from '../harness/saved-world.ts';

const FOLDER = fileURLToPath(new URL('saved-states/', import.meta.url));
const WORLDS = readdirSync(FOLDER).flatMap((file) => {
  const [artifact, stateFile]: readonly SavedWorld[] = JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8'));
  const version = path.parse(file).name;
  return [['an artifact', version, artifact] as const, ['a state file', version, stateFile] as const];
});

/** The action's clock shows an hour after the states were saved, because open records are kept for seven days. */
function clockAfter(savedAt: string) {
  return { aheadMs: Date.parse(savedAt) + 3_600_000 - Date.now() };
}

describe.concurrent('an upgrade bills nothing and changes no verdict', () => {
  it.for(WORLDS)('%s of %s', async ([, , world], { startRepository, makeFolder }) => {
    expect.assert(world !== undefined);
    const repository = await startRepository({ scenario: OLD_SCENARIO });
    const { service, artifacts } = repository;
    service.restore(structuredClone(world.submissions));
    for (const { name, archive, uploadedBy } of world.artifacts)
      artifacts.plant(name, Buffer.from(archive, 'base64'), uploadedBy);
    const stateFile = path.join(await makeFolder(), 'state.json');
    if (world.stateFile !== undefined) await writeFile(stateFile, world.stateFile);
    const run = {
      runId: 50,
      workspace: await makeFolder(OLD_FILES),
      clock: clockAfter(world.savedAt),
      inputs: { 'state-key': OLD_KEY, ...(world.stateFile !== undefined && { 'state-file': stateFile }) },
    };
    const next = await repository.push({ ...run, branch: 'main', commit: '5'.repeat(40) });
    // A saved failure is read as open, so its submission is awaited as well, and may be the one that is named.
    const { 'submission-id': _, 'submission-status': _status, 'new-issue-count': _count, ...outputs } = world.outputs;
    expect(next.outputs, next.log).toMatchObject(outputs);
    expect(next.requests.filter(({ method }) => method === 'POST')).toEqual([]);
    expect(service.submissions).toHaveLength(world.submissions.length);

    const isNew = { ...run.inputs, 'fail-on-issues': 'new' };
    const compared = await repository.pull({ ...run, runId: 51, branch: 'x', base: '41'.repeat(20), inputs: isNew });
    // Earlier versions did not save which API key they used, so their states are no baseline, and run 50 is. A state file
    // is a baseline only for exactly the base commit.
    const count = world.stateFile === undefined ? '0' : '';
    expect(compared.outputs, compared.log).toMatchObject({ 'files-submitted': '0', 'new-issue-count': count });
  });
});
