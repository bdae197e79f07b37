import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import * as v from 'valibot';
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

const VERSION = 3;
const FORMAT = `media-compliance-gate/state/${VERSION}`;

const Envelope = v.object({
  format: v.literal(FORMAT),
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
  const derive = (info: string, length: number): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, FORMAT, info, length));
  return { id: derive('key id', 8).toString('hex'), bytes: derive('signature', 32) };
}

/** The state of ten thousand files is far smaller than this limit. */
export const MAX_STATE_BYTES = 64 * 1024 * 1024;
/** Above this size, a state leaves out the texts of its issues: they take up most of it, and the service has them. */
const MAX_BYTES_WITH_TEXTS = 16 * 1024 * 1024;

/** Throws if a later run could not read the state because of its size. The state of the earlier run is then kept. */
export function seal(document: StateDocument, binding: Binding, key: SigningKey): string {
  const sealWith = (replacer?: (name: string, value: unknown) => unknown): string => {
    const payload = JSON.stringify({ binding, document }, replacer);
    return JSON.stringify({ format: FORMAT, keyId: key.id, signature: sign(payload, key), payload });
  };
  const whole = sealWith();
  const sealed = Buffer.byteLength(whole) > MAX_BYTES_WITH_TEXTS ? sealWith(withoutTexts) : whole;
  if (Buffer.byteLength(sealed) > MAX_STATE_BYTES)
    throw new Error('it is larger than 64 MB. Spread the files over several gates, each with its own `name`');
  return sealed;
}

/** Removes texts by field name: only issues and their topics have these fields. */
function withoutTexts(name: string, value: unknown): unknown {
  if (name === 'headline' || name === 'topics') return undefined;
  return name === 'summary' ? '' : value;
}

/** Why a state is not used, and what to do. Each text continues a sentence that begins with "The state in …". */
const PROBLEMS = {
  unreadable:
    'cannot be read: it is damaged, too large or of another version of this action. It was ignored, so its files may be sent and billed again.',
  newer: 'was saved by a newer version of this action. It was ignored, so its files may be sent and billed again.',
  'other-key':
    'was signed with another key, so its files are sent and billed again. If the API key was changed, set `state-key` to keep the state when it changes the next time.',
  forged: 'has an invalid signature. It was ignored. Find out who wrote it: somebody may have tampered with it.',
  'not-ours':
    'belongs to another repository, gate (name, workflow, job or matrix leg), kind of API key or run. It was ignored. Give each gate its own state; if nobody moved it by mistake, find out who copied it.',
};
export type StateProblem = keyof typeof PROBLEMS;

export function describeStateProblem(problem: StateProblem, place: string): string {
  return `The state ${place} ${PROBLEMS[problem]}`;
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
  const parsed = parseJson(new TextDecoder().decode(bytes));
  const envelope = v.safeParse(Envelope, parsed);
  if (!envelope.success) return versionOf(parsed) > VERSION ? 'newer' : 'unreadable';
  const { keyId, signature, payload } = envelope.output;
  const state = v.safeParse(SavedState, parseJson(payload));
  if (!state.success) return 'unreadable';
  const { binding } = state.output;
  const isOurGate = binding.repositoryId === ours.repositoryId && binding.gate === ours.gate;
  const isOurRun = runId === undefined || binding.runId === runId;
  if (!isOurGate || binding.mode !== ours.mode || !isOurRun) return 'not-ours';
  if (keyId !== key.id) return 'other-key';
  const isSigned = timingSafeEqual(Buffer.from(signature, 'hex'), Buffer.from(sign(payload, key), 'hex'));
  return isSigned ? state.output : 'forged';
}

/** 0 if the value is no state of any version. */
function versionOf(envelope: unknown): number {
  const { format } = Object(envelope);
  return Number(/^media-compliance-gate\/state\/(\d+)$/.exec(String(format))?.[1] ?? 0);
}

function sign(payload: string, key: SigningKey): string {
  return createHmac('sha256', key.bytes).update(payload).digest('hex');
}
