import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import * as v from 'valibot';
import type { Artifact } from '../github/api-schemas.ts';
import { parseJson } from '../lib/format.ts';
import { Sha256, StateDocument, Time } from './document.ts';

/** The origin of a state. It is signed with the document, so that a state cannot be moved to another gate or run. */
const Binding = v.object({
  repositoryId: v.string(),
  /** Hash of the gate: its name, workflow, job and matrix leg. */
  gate: v.string(),
  mode: v.picklist(['live', 'sandbox']),
  runId: v.string(),
  runAttempt: v.number(),
  event: v.string(),
  /** The branch that was checked, as `owner:branch` for a fork. Empty if it is unknown which branch is checked out. */
  branch: v.string(),
  commit: v.string(),
  /** `open`: saved right after a submission was created. `state`: saved at the end of the run, with the results. */
  kind: v.picklist(['open', 'state']),
  savedAt: Time,
});
export type Binding = v.InferOutput<typeof Binding>;

/** The fields of the binding that a run knows before it saves its state. */
export type RunBinding = Omit<Binding, 'kind' | 'savedAt'>;

/**
 * The number rises if an older version could not read the state. What an earlier version saved, from 3 on, is converted
 * while it is read, so that an upgrade bills nothing.
 */
const VERSION = 3;
const FORMAT = 'media-compliance-gate/state/';
/** Part of every signature, so it stays the same in every version. */
const SALT = 'media-compliance-gate/state/3';

const Versioned = v.pipe(
  v.object({ format: v.pipe(v.string(), v.startsWith(FORMAT)) }),
  v.transform(({ format }) => Number(format.slice(FORMAT.length))),
);

const Envelope = v.object({
  format: v.literal(`${FORMAT}${VERSION}`),
  /** Identifies the signing key and reveals nothing about it. */
  keyId: v.string(),
  signature: Sha256,
  /** JSON as text, so that exactly the signed text is parsed. */
  payload: v.string(),
});

/** A state that an earlier run saved. Only the signature proves that this gate saved it. */
const SavedState = v.object({ binding: Binding, document: StateDocument });
export type SavedState = v.InferOutput<typeof SavedState>;

export type SigningKey = Readonly<ReturnType<typeof signingKey>>;

/** The key is derived, so that a signature reveals nothing about the secret itself. */
export function signingKey(secret: string) {
  const derive = (info: string, length: number): Buffer => Buffer.from(hkdfSync('sha256', secret, SALT, info, length));
  return { id: derive('key id', 8).toString('hex'), bytes: derive('signature', 32) };
}

/** No larger state is read. The state of ten thousand files is far smaller. */
export const MAX_STATE_BYTES = 64 * 1024 * 1024;

export function seal(document: StateDocument, binding: Binding, key: SigningKey): string {
  const payload = JSON.stringify({ binding, document });
  return JSON.stringify({ format: `${FORMAT}${VERSION}`, keyId: key.id, signature: sign(payload, key), payload });
}

/** Why a state is not used, and what to do. Each text continues a sentence that begins with "The state in …". */
const PROBLEMS = {
  unreadable:
    'cannot be read: it is damaged, too large or no state. It was ignored, so its files may be sent and billed again.',
  newer:
    'was saved by a newer version of this action. It was ignored, so its files may be sent and billed again. Use the same version on all branches.',
  'other-key':
    'was signed with another key, so its files are sent and billed again. If `state-key` was changed, set it back. If there is none, set one, so that the state outlives the next change of the API key.',
  forged: 'has an invalid signature. It was ignored. Find out who wrote it: somebody may have tampered with it.',
  'not-ours':
    'belongs to another repository, gate (name, workflow, job or matrix leg), kind of API key or run. It was ignored. Give each gate its own state; if nobody moved it by mistake, find out who copied it.',
};
export type StateProblem = keyof typeof PROBLEMS;

/** @param place the artifact that holds the state, or the path of the state file */
export function describeStateProblem(problem: StateProblem, place: Pick<Artifact, 'name' | 'runId'> | string): string {
  const where =
    typeof place === 'string' ? `\`state-file\` (${place})` : `the artifact ${place.name} of run ${place.runId}`;
  return `The state in ${where} ${PROBLEMS[problem]}`;
}

/**
 * Opens a sealed state. The binding is compared before the key, so that a state of another gate is reported as such.
 *
 * @param runId the run that the artifact belongs to; undefined for a state file, which may come from any run
 */
export function unseal(
  bytes: Uint8Array | undefined,
  { binding: ours, key }: { readonly binding: RunBinding; readonly key: SigningKey },
  runId?: string,
): SavedState | StateProblem {
  const sealed = parseJson(new TextDecoder().decode(bytes));
  const version = v.safeParse(Versioned, sealed);
  if (version.success && version.output > VERSION) return 'newer';
  // Anyone can upload a state, and collecting the problems of millions of items would take minutes.
  const envelope = v.safeParse(Envelope, sealed, { abortEarly: true });
  if (!envelope.success) return 'unreadable';
  const { keyId, signature, payload } = envelope.output;
  const state = v.safeParse(SavedState, parseJson(payload), { abortEarly: true });
  if (!state.success) return 'unreadable';
  const { binding } = state.output;
  const isOurGate = binding.repositoryId === ours.repositoryId && binding.gate === ours.gate;
  const isOurRun = runId === undefined || binding.runId === runId;
  if (!isOurGate || binding.mode !== ours.mode || !isOurRun) return 'not-ours';
  if (keyId !== key.id) return 'other-key';
  const isSigned = timingSafeEqual(Buffer.from(signature, 'hex'), Buffer.from(sign(payload, key), 'hex'));
  return isSigned ? state.output : 'forged';
}

function sign(payload: string, key: SigningKey): string {
  return createHmac('sha256', key.bytes).update(payload).digest('hex');
}
