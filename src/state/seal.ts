import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import * as v from 'valibot';
import { StateDocument } from './document.ts';

/** Where a state belongs. Signed with it, so that a state cannot be moved to another place. */
const Binding = v.object({
  repositoryId: v.string(),
  /** Hash of the gate: its name, workflow, job, step and matrix leg. */
  gate: v.string(),
  runId: v.string(),
  /** Whose history it continues: `branch:main`, `pull:feature` for the pull request of that branch, or `other:main`. */
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
  /** Names the signing key without telling anything about it. */
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

/** Derived, so that the signature tells nothing about the secret itself. */
export function signingKey(secret: string): SigningKey {
  const derive = (info: string, length: number): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, FORMAT, info, length));
  return { id: derive('key id', 8).toString('hex'), bytes: derive('signature', 32) };
}

export function seal(document: StateDocument, binding: Binding, key: SigningKey): string {
  const payload = JSON.stringify({ binding, document });
  return JSON.stringify({ format: FORMAT, keyId: key.id, signature: sign(payload, key), payload });
}

/** What of the binding a reader knows beforehand. The rest is as the signature says. */
export type Place = Pick<Binding, 'repositoryId' | 'gate' | 'mode'> &
  Partial<Pick<Binding, 'runId' | 'scope' | 'kind'>>;

/** Why a state is not taken. */
export type Refusal =
  | 'unreadable'
  /** Signed, but with a key that is not ours any more. */
  | 'other-key'
  /** It names our key, and the signature is wrong. */
  | 'forged'
  /** Ours, but from another place. */
  | 'other-repository'
  | 'other-gate'
  | 'other-run'
  | 'other-scope'
  | 'other-mode'
  | 'other-kind';

export interface Unsealed {
  readonly binding: Binding;
  readonly document: StateDocument;
}

const MISPLACED = [
  ['repositoryId', 'other-repository'],
  ['gate', 'other-gate'],
  ['mode', 'other-mode'],
  ['runId', 'other-run'],
  ['scope', 'other-scope'],
  ['kind', 'other-kind'],
] as const satisfies readonly (readonly [keyof Place, Refusal])[];

/** Opens a sealed state, if it is ours and belongs here. */
export function unseal(bytes: Uint8Array, place: Place, key: SigningKey): Unsealed | Refusal {
  const envelope = v.safeParse(
    Envelope,
    parseJson(() => textOf(bytes)),
  );
  if (!envelope.success) return 'unreadable';
  const { keyId, signature, payload } = envelope.output;
  if (keyId !== key.id) return 'other-key';
  if (!timingSafeEqual(Buffer.from(signature, 'hex'), Buffer.from(sign(payload, key), 'hex'))) return 'forged';
  const parsed = v.safeParse(
    Payload,
    parseJson(() => payload),
  );
  if (!parsed.success) return 'unreadable';
  const { binding } = parsed.output;
  const misplaced = MISPLACED.find(([field]) => place[field] !== undefined && place[field] !== binding[field]);
  return misplaced ? misplaced[1] : parsed.output;
}

function sign(payload: string, key: SigningKey): string {
  return createHmac('sha256', key.bytes).update(payload).digest('hex');
}

/** Bytes that a lenient reader would mend are not what was written. */
function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}

/** Undefined where it is not JSON. */
function parseJson(read: () => string): unknown {
  try {
    return JSON.parse(read());
  } catch {
    return undefined;
  }
}
