import { createHash, createHmac } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Emulator, Workspace } from '../../emulator/emulator.ts';
import { signingKey } from '../../src/state/seal.ts';
import { png } from '../../test/harness/media.ts';
import { makeWorkspace } from '../../test/harness/workspace.ts';
import { anyJsonEdits, editJson, type JsonEdit } from './json-edits.ts';
import { fuzz, runSound } from './play.ts';

const KEY = 'the-state-key-of-the-fuzzing';
const FILES = { 'one.png': png('one'), 'two.png': png('two'), 'three.png': png('three') } as const;

interface StateCase {
  readonly edits: readonly JsonEdit[];
  /** The changed document is signed with the right key. Otherwise the envelope around it is changed. */
  readonly isSigned: boolean;
  readonly isOutage: boolean;
  /** One file is sent as a new version. */
  readonly hasNewVersion: boolean;
}

const anyCase: fc.Arbitrary<StateCase> = fc.record({
  edits: anyJsonEdits,
  isSigned: fc.constantFrom(true, true, true, true, false),
  isOutage: fc.constantFrom(false, false, false, true),
  hasNewVersion: fc.boolean(),
});

const EXAMPLES: readonly StateCase[] = [
  { edits: [{ do: 'cut', share: 0 }], isSigned: true, isOutage: false, hasNewVersion: false },
  // Half of a surrogate pair in an id.
  { edits: [{ do: 'put', at: 55, text: '"\\ud800"' }], isSigned: true, isOutage: true, hasNewVersion: false },
  // A document of another gate.
  { edits: [{ do: 'put', at: 6, text: '"x"' }], isSigned: true, isOutage: false, hasNewVersion: true },
];

interface Envelope {
  readonly payload: string;
}

interface KnownContent {
  readonly sha256: string;
  readonly submissionId: string;
  readonly assetId: string;
}

interface Payload {
  readonly binding: unknown;
  readonly document: { readonly contents: readonly KnownContent[] };
}

interface FirstRun {
  readonly service: Workspace;
  readonly envelope: Envelope;
  /** The true analysis of the file with the CRITICAL issue. */
  readonly bad: KnownContent | undefined;
}

it('changed states of an earlier run', async () => {
  await using workspace = await makeWorkspace(FILES);
  const file = path.join(workspace.path, 'state.json');
  const options = {
    workspace: workspace.path,
    inputs: { 'state-file': file, 'state-key': KEY, files: '*.png', 'wait-timeout-minutes': '2' },
  };
  let first: FirstRun | undefined;
  let versions = 0;
  await fuzz(
    anyCase,
    async (each, emulator) => {
      first ??= await firstRun(emulator, options, file);
      const { service, envelope, bad } = first;
      const text = textOf(each, envelope);
      await writeFile(file, text);
      const version = each.hasNewVersion ? `one ${(versions += 1)}` : 'one';
      await writeFile(path.join(workspace.path, 'one.png'), png(version));
      const before = service.submissions.length;
      const baseUrl = each.isOutage ? 'http://127.0.0.1:9' : emulator.baseUrl;
      const run = await runSound({ ...options, service, baseUrl });
      expect(service.submissions.length - before, 'More than one submission was created').toBeLessThanOrEqual(1);
      if (run.outputs['verdict'] === 'pass')
        expect(isMisled(each, text, bad), 'A pass with a CRITICAL issue').toBe(true);
    },
    EXAMPLES,
  );
});

/** The service reports a CRITICAL issue in `two.png`. The state is made to say that the analysis of another file is open. */
async function firstRun(
  emulator: Emulator,
  options: Omit<Parameters<typeof runSound>[0], 'service'>,
  file: string,
): Promise<FirstRun> {
  const scenario = { files: [{ match: 'two-', issues: [{ severity: 'CRITICAL' }, { severity: 'MINOR' }] }] };
  const service = emulator.workspace({ scenario });
  await runSound({ ...options, service, baseUrl: emulator.baseUrl });
  const envelope: Envelope = JSON.parse(await readFile(file, 'utf8'));
  const { binding, document }: Payload = JSON.parse(envelope.payload);
  const bad = document.contents.find(isBad);
  const [good, ...others] = document.contents.filter((content) => content !== bad);
  const contents = [...others, { ...good, kind: 'open' }, bad];
  const payload = JSON.stringify({ binding, document: { ...document, contents } });
  return { service, envelope: { ...envelope, payload }, bad };
}

function isBad({ sha256 }: KnownContent): boolean {
  return sha256 === createHash('sha256').update(FILES['two.png']).digest('hex');
}

function textOf({ edits, isSigned }: StateCase, envelope: Envelope): string {
  const payload = isSigned ? editJson(envelope.payload, edits) : envelope.payload;
  const signature = createHmac('sha256', signingKey(KEY).bytes).update(payload).digest('hex');
  const sealed = JSON.stringify({ ...envelope, signature, payload });
  return isSigned ? sealed : editJson(sealed, edits);
}

/**
 * A signed state is trusted for which asset belongs to which content, and during an outage for everything. It is never
 * trusted for issues that the service can be asked for.
 */
function isMisled({ isSigned, isOutage }: StateCase, text: string, bad: KnownContent | undefined): boolean {
  if (!isSigned || isOutage) return isSigned;
  const { payload }: Envelope = JSON.parse(text);
  const { document }: Payload = JSON.parse(payload);
  return document.contents
    .filter(isBad)
    .some(({ submissionId, assetId }) => submissionId !== bad?.submissionId || assetId !== bad?.assetId);
}
