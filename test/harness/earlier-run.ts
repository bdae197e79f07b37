import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { createSubmission } from '../../emulator/creation.ts';
import type { Workspace } from '../../emulator/emulator.ts';
import { uploadName } from '../../src/media/content.ts';
import { ContentRecord, type StateDocument } from '../../src/state/document.ts';
import { gateId } from '../../src/state/gate-id.ts';
import type { Binding } from '../../src/state/seal.ts';
import { binding } from '../builders/states.ts';

/** The gate and commit of every run that names no others. */
export const GATE = gateId({
  name: 'media-compliance',
  workflow: '.github/workflows/media.yml',
  job: 'gate',
  matrix: '',
});
const REPOSITORY_ID = '4711';
export const COMMIT = '0123456789abcdef0123456789abcdef01234567';

/** What a state says about its run, by default a push by this gate. */
export function bindingOf(changes: Partial<Binding> = {}): Binding {
  return binding({ gate: GATE, commit: COMMIT, savedAt: new Date().toISOString(), ...changes });
}

/** Submits images to the service as a run would do it, and returns the state that this run would leave. */
export async function analyse(service: Workspace, files: Readonly<Record<string, Buffer>>): Promise<StateDocument> {
  const uploads = Object.entries(files).map(([path, bytes]) => {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const name = uploadName(path, { sha256, repositoryId: REPOSITORY_ID, extension: 'png' });
    const blobPath = service.addUpload(name, 'image/png', { size: bytes.length, sha256, detected: 'image/png' });
    return { path, blobPath, content: { sha256, name, category: 'image' as const } };
  });
  const json = { assets: uploads.map(({ blobPath }) => ({ blobPath })) };
  await createSubmission({ workspace: service, ids: [], query: new URLSearchParams(), body: { json } });
  const submission = service.submissions.at(-1);
  assert(submission);
  const { submissionId, createdAt } = submission;
  const sent = submission.assets.map((asset) => {
    const upload = uploads.find(({ blobPath }) => blobPath === asset.blobPath);
    assert(upload);
    return { ...upload, asset };
  });
  return {
    contents: sent.map(({ content, asset: { assetId, versionGroupId, versionNumber, issues, status } }) => {
      const sent = { ...content, submissionId, sidekicks: '', at: createdAt };
      if (status !== 'complete') return { kind: 'open', ...sent };
      const found = issues.map((issue) => ({ ...issue, reportedSeverity: issue.severity }));
      const result = { assetId, versionGroupId, versionNumber, issues: found };
      return v.parse(ContentRecord, { kind: 'analysed', ...sent, ...result });
    }),
    paths: sent.map(({ path, content: { sha256 }, asset }) => {
      return { path, sha256, submissionId, seenAt: createdAt, isPresent: asset.status === 'complete' };
    }),
  };
}

/** Completes the analyses that a scenario keeps open by a huge `reads`. */
export function finishAnalyses({ submissions }: Workspace): void {
  for (const { pending } of submissions.flatMap(({ assets }) => assets)) if (pending) pending.readsLeft = 0;
}
