import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import * as v from 'valibot';
import { parseJson } from '../lib/format.ts';
import { failure, type Result, success } from '../lib/result.ts';
import { StateDocument } from './document.ts';

/** Where a state comes from. Signed with the document, so that a state cannot be moved to another place. */
const Binding = v.object({
  repositoryId: v.string(),
  /** Hash of the gate: its name, workflow, job and matrix leg. */
  gate: v.string(),
  runId: v.string(),
  runAttempt: v.number(),
  /** The commit that the run was started for. */
  commit: v.string(),
  /** The history that it continues: see scopes.ts. */
  scope: v.string(),
  event: v.string(),
  mode: v.picklist(['live', 'sandbox']),
  /** `open`: only what was just submitted. `state`: everything. */
  kind: v.picklist(['open', 'state']),
  savedAt: v.pipe(v.string(), v.isoTimestamp()),
});
export type Binding = v.InferOutput<typeof Binding>;

const FORMAT = 'media-compliance-gate/state/1';

const Envelope = v.object({
  format: v.literal(FORMAT),
  /** Names the signing key and reveals nothing about it. */
  keyId: v.string(),
  signature: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  /** JSON as text: what is signed is exactly what is parsed. */
  payload: v.string(),
});

const Payload = v.object({ binding: Binding, document: StateDocument });

export interface SigningKey {
  readonly id: string;
  readonly bytes: Buffer;
}

/** Derived, so that a signature reveals nothing about the secret itself. */
export function signingKey(secret: string): SigningKey {
  const derive = (info: string, length: number): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, FORMAT, info, length));
  return { id: derive('key id', 8).toString('hex'), bytes: derive('signature', 32) };
}

export function seal(document: StateDocument, binding: Binding, key: SigningKey): string {
  const payload = JSON.stringify({ binding, document });
  return JSON.stringify({ format: FORMAT, keyId: key.id, signature: sign(payload, key), payload });
}

/** Whose state it is. */
type Owner = Pick<Binding, 'repositoryId' | 'gate' | 'mode'>;

/** The parts of a binding that a reader knows beforehand and insists on. */
export type ExpectedBinding = Owner & Partial<Pick<Binding, 'runId' | 'scope' | 'kind'>>;

/** Why a state is not used. */
export type RefusalReason =
  | 'unreadable'
  /** Signed with another key than ours. */
  | 'other-key'
  /** It names our key, and the signature is wrong. */
  | 'forged'
  /** Signed by us, but for another place. */
  | 'other-repository'
  | 'other-gate'
  | 'other-run'
  | 'other-scope'
  | 'other-mode'
  | 'other-kind';

/** A state that an earlier run left, proven to be ours. */
export interface SavedState {
  readonly binding: Binding;
  readonly document: StateDocument;
}

const MISMATCHES = [
  ['repositoryId', 'other-repository'],
  ['gate', 'other-gate'],
  ['mode', 'other-mode'],
  ['runId', 'other-run'],
  ['scope', 'other-scope'],
  ['kind', 'other-kind'],
] as const satisfies readonly (readonly [keyof ExpectedBinding, RefusalReason])[];

/** Opens a sealed state, if it is ours and belongs here. */
export function unseal(
  bytes: Uint8Array,
  expected: ExpectedBinding,
  key: SigningKey,
): Result<SavedState, RefusalReason> {
  const envelope = readEnvelope(bytes);
  if (!envelope) return failure('unreadable');
  const { keyId, signature, payload } = envelope;
  if (keyId !== key.id) return failure('other-key');
  if (!timingSafeEqual(Buffer.from(signature, 'hex'), Buffer.from(sign(payload, key), 'hex'))) return failure('forged');
  const parsed = v.safeParse(Payload, parseJson(payload));
  if (!parsed.success) return failure('unreadable');
  const mismatch = mismatchOf(parsed.output.binding, expected);
  return mismatch ? failure(mismatch) : success(parsed.output);
}

const Unverified = v.object({ binding: v.pick(Binding, ['repositoryId', 'gate', 'mode']) });

/**
 * Whose state this claims to be, without proof: `undefined` if it claims to be ours or is no state. Good enough to leave
 * it alone, never to use it.
 */
export function claimedMismatch(bytes: Uint8Array, expected: Owner): RefusalReason | undefined {
  const envelope = readEnvelope(bytes);
  const parsed = v.safeParse(Unverified, envelope && parseJson(envelope.payload));
  return parsed.success ? mismatchOf(parsed.output.binding, expected) : undefined;
}

function mismatchOf(binding: Partial<Binding>, expected: ExpectedBinding): RefusalReason | undefined {
  return MISMATCHES.find(([field]) => expected[field] !== undefined && expected[field] !== binding[field])?.[1];
}

/** One sentence for each reason, with what to do. `place` fits behind "The state". */
export function describeRefusal(reason: RefusalReason, place: string): string {
  switch (reason) {
    case 'unreadable':
      return `The state ${place} is damaged, too large or of another version of this action. It was ignored, so this run sends all files again.`;
    case 'other-key':
      return `The state ${place} was signed with another key, so this run sends all files again. If the API key was changed, set \`state-key\` to keep the state when it changes the next time.`;
    case 'forged':
      return `The state ${place} has an invalid signature. It was ignored. Find out who wrote it: somebody may have tampered with it.`;
    case 'other-mode':
      return `The state ${place} belongs to the other kind of API key: sandbox and live never share results. It was ignored.`;
    case 'other-repository':
      return `The state ${place} belongs to another repository. It was ignored.`;
    case 'other-gate':
      return `The state ${place} belongs to another gate (name, workflow, job or matrix leg). It was ignored. Give each gate its own state.`;
    case 'other-run':
    case 'other-scope':
    case 'other-kind':
      return `The state ${place} was copied from another run or branch. It was ignored. Find out who copied it.`;
  }
}

function sign(payload: string, key: SigningKey): string {
  return createHmac('sha256', key.bytes).update(payload).digest('hex');
}

function readEnvelope(bytes: Uint8Array): v.InferOutput<typeof Envelope> | undefined {
  try {
    // A lenient decoder would repair damaged bytes, and then the text would not be what was written.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const parsed = v.safeParse(Envelope, parseJson(text));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}
