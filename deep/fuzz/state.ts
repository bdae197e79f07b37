import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as fc from 'fast-check';
import type { Emulator, Workspace } from '../../emulator/emulator.ts';
import { signingKey } from '../../src/state/seal.ts';
import { runWithSecrets } from '../../test/harness/invariants.ts';
import { png } from '../../test/harness/media.ts';
import { makeWorkspace } from '../../test/harness/workspace.ts';
import { anyJsonEdit, editJson, type JsonEdit } from './json-edits.ts';
import { CLOCK_FACTOR, expectSound, NO_GITHUB, target } from './target.ts';

const KEY = 'the-state-key-of-the-fuzzing';
const FILES = { 'one.png': png('one'), 'two.png': png('two'), 'three.png': png('three') } as const;

type StateCase =
  /** The document is changed, and signed with the right key. */
  | {
      readonly is: 'signed';
      readonly edits: readonly JsonEdit[];
      readonly isOutage: boolean;
      readonly isEdited: boolean;
    }
  /** The envelope around the document is changed. */
  | { readonly is: 'unsigned'; readonly edits: readonly JsonEdit[] }
  /** One character for each byte. */
  | { readonly is: 'bytes'; readonly text: string };

const edits = fc.array(anyJsonEdit, { minLength: 1, maxLength: 3 });

const anyCase: fc.Arbitrary<StateCase> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      is: fc.constant('signed' as const),
      edits,
      isOutage: fc.constantFrom(false, false, false, true),
      isEdited: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('unsigned' as const), edits }) },
  {
    weight: 1,
    arbitrary: fc.record({
      is: fc.constant('bytes' as const),
      text: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
    }),
  },
);

interface Envelope {
  readonly format: string;
  readonly keyId: string;
  readonly signature: string;
  readonly payload: string;
}

interface KnownContent {
  readonly sha256: string;
  readonly submissionId: string;
  readonly assetId: string;
}

interface Payload {
  readonly binding: unknown;
  readonly document: { readonly contents: readonly KnownContent[]; readonly paths: unknown; readonly open: unknown };
}

/** States of an earlier run. The service reports a CRITICAL issue in `two.png`, and none in the other files. */
export const STATE = target<StateCase>('state documents', anyCase, async (emulator) => {
  const workspace = await makeWorkspace(FILES);
  const file = path.join(workspace.path, 'state.json');
  const stage = await firstRun(emulator, workspace.path, file);
  let versions = 0;
  return {
    async play(each) {
      const text = textOf(each, stage.envelope);
      await writeFile(file, text, each.is === 'bytes' ? 'latin1' : 'utf8');
      // An edited file is sent as a new version.
      const isEdited = each.is === 'signed' && each.isEdited;
      await writeFile(path.join(workspace.path, 'one.png'), png(isEdited ? `one ${(versions += 1)}` : 'one'));
      const before = stage.service.submissions.length;
      const run = await runWithSecrets({
        workspace: workspace.path,
        service: stage.service,
        baseUrl: each.is === 'signed' && each.isOutage ? 'http://127.0.0.1:9' : emulator.baseUrl,
        clockFactor: CLOCK_FACTOR,
        env: NO_GITHUB,
        inputs: { 'state-file': file, 'state-key': KEY, files: '*.png', 'wait-timeout-minutes': '2' },
      });
      expectSound(run);
      assert.ok(stage.service.submissions.length - before <= 1, 'More than one submission was created');
      if (run.outputs['verdict'] === 'pass') assert.ok(isMisled(each, text, stage), 'A pass with a CRITICAL issue');
    },
    [Symbol.asyncDispose]: workspace.remove,
  };
});

interface FirstRun {
  readonly service: Workspace;
  readonly envelope: Envelope;
  /** The true analysis of the file with the CRITICAL issue. */
  readonly bad: KnownContent | undefined;
}

async function firstRun(emulator: Emulator, workspace: string, file: string): Promise<FirstRun> {
  const scenario = { files: [{ match: 'two-', issues: [{ severity: 'CRITICAL' }, { severity: 'MINOR' }] }] };
  const service = emulator.workspace({ scenario });
  await runWithSecrets({
    workspace,
    service,
    baseUrl: emulator.baseUrl,
    env: NO_GITHUB,
    inputs: { 'state-file': file, 'state-key': KEY, files: '*.png' },
  });
  const envelope: Envelope = JSON.parse(await readFile(file, 'utf8'));
  const { binding, document }: Payload = JSON.parse(envelope.payload);
  const [last, ...contents] = document.contents.toReversed();
  const names = service.submissions.flatMap(({ assets }) => assets).map(({ filename }) => filename);
  // One file is made to look as if its analysis had not ended.
  const open = [
    {
      submissionId: last?.submissionId,
      createdAt: new Date().toISOString(),
      sidekicks: '',
      assetIds: [],
      contents: names.map((name) => ({ sha256: last?.sha256, name, category: 'image' })).slice(-1),
    },
  ];
  const payload = JSON.stringify({ binding, document: { ...document, contents, open } });
  return { service, envelope: { ...envelope, payload }, bad: contents.find(isBad) };
}

function isBad({ sha256 }: KnownContent): boolean {
  return sha256 === createHash('sha256').update(FILES['two.png']).digest('hex');
}

function textOf(each: StateCase, envelope: Envelope): string {
  if (each.is === 'bytes') return each.text;
  const payload = each.is === 'signed' ? editJson(envelope.payload, each.edits) : envelope.payload;
  const signature = createHmac('sha256', signingKey(KEY).bytes).update(payload).digest('hex');
  const sealed = JSON.stringify({ ...envelope, signature, payload });
  return each.is === 'unsigned' ? editJson(sealed, each.edits) : sealed;
}

/**
 * A signed state is trusted for which asset belongs to which content, and during an outage for everything. It is never
 * trusted for issues that the service can be asked for.
 */
function isMisled(each: StateCase, text: string, { bad }: FirstRun): boolean {
  if (each.is !== 'signed') return false;
  if (each.isOutage) return true;
  const { payload }: Envelope = JSON.parse(text);
  const { document }: Payload = JSON.parse(payload);
  return document.contents
    .filter(isBad)
    .some(({ submissionId, assetId }) => submissionId !== bad?.submissionId || assetId !== bad?.assetId);
}
