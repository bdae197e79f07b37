import path from 'node:path';
import { afterEach, expect, vi } from 'vitest';
import { uploadArtifact } from '../../src/github/artifacts.ts';
import type { Trouble } from '../harness/artifact-service.ts';
import { it as base } from '../harness/fixtures.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const it = base.extend('connected', ({ startArtifacts, makeFolder }) => async (trouble?: Trouble) => {
  const artifacts = await startArtifacts({ trouble });
  for (const [name, value] of Object.entries(artifacts.envOf('42'))) vi.stubEnv(name, value);
  // The artifact client writes every step to the log.
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const folder = await makeFolder({ 'state.json': '{}' });
  const upload = async (): Promise<unknown> =>
    await uploadArtifact({ name: 'x', files: [path.join(folder, 'state.json')], retentionDays: 7 });
  return { artifacts, upload };
});

it('an upload without a response ends after two minutes', async ({ connected }) => {
  const { artifacts, upload } = await connected(() => 'silence');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const uploading = upload().catch((error: unknown) => error);
  await artifacts.begun('CreateArtifact');
  vi.advanceTimersByTime(120_000);
  expect(await uploading).toMatchObject({ message: expect.stringContaining('within 120 s') });
});
