import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type Scenario, startEmulator } from '../../emulator/emulator.ts';
import { restoreWorkspace, saveWorkspace } from '../../emulator/saved.ts';
import { ServiceRequester } from './caller.ts';

it('a workspace that was saved is the same in the next emulator', async () => {
  const scenario: Scenario = { default: { issues: [{ ruleCode: 'A' }, { ruleCode: 'B' }] } };
  const file = await savedFile();
  const first = await open(scenario, file);
  const { submissionId, assetIds } = await first.caller.submit('a.png');
  const asset = `/submissions/${submissionId}/assets/${assetIds[0]}`;
  const before = await first.caller.get(asset);
  await saveWorkspace(first.workspace, file);

  const second = await open(scenario, file);
  expect((await second.caller.get(asset)).json).toEqual(before.json);
  const next = await second.caller.submit('b.png');
  const { json } = await second.caller.get(`/submissions/${next.submissionId}/assets/${next.assetIds[0]}`);
  expect(json['issues']).toMatchObject([{ referenceNumber: 3 }, { referenceNumber: 4 }]);
});

it('an analysis that had not ended begins again', async () => {
  const file = await savedFile();
  const first = await open({ default: { ms: 3_600_000 } }, file);
  const { submissionId } = await first.caller.submit('a.png');
  await saveWorkspace(first.workspace, file);

  const second = await open({}, file);
  expect((await second.caller.get(`/submissions/${submissionId}`)).json).toMatchObject({ status: 'complete' });
});

async function open(scenario: Scenario, file: string) {
  const emulator = await startEmulator();
  onTestFinished(async () => await emulator.close());
  const workspace = emulator.workspace({ scenario });
  await restoreWorkspace(workspace, file);
  return { workspace, caller: new ServiceRequester(emulator, workspace) };
}

async function savedFile(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'emulator-saved-'));
  onTestFinished(async () => await rm(folder, { recursive: true }));
  return path.join(folder, 'workspace.json');
}
