import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import * as v from 'valibot';
import { StateDocument } from './document.ts';

/** Where a state belongs. Signed with it, so that a state cannot be moved to another place. */
const Binding = v.object({
  repositoryId: v.string(),
  /** Hash of the gate: its name, workflow, job, step and matrix leg. */
  gate: v.string(),
  runId: v.string(),
  /** Whose history it continues: `branch:main`, or `pull:feature` for the pull request of that branch. */
  line: v.string(),
  event: v.string(),
  mode: v.picklist(['live', 'sandbox']),
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

/** Why a state is not taken. */
export type Refusal = 'unreadable' | 'other-key' | 'forged' | 'misplaced';

export interface Unsealed {
  readonly binding: Binding;
  readonly document: StateDocument;
}

/** Opens a sealed state, if it is ours and belongs here. `place` holds whatever of the binding is known beforehand. */
export function unseal(text: string, place: Partial<Binding>, key: SigningKey): Unsealed | Refusal {
  const envelope = v.safeParse(Envelope, parseJson(text));
  if (!envelope.success) return 'unreadable';
  const { keyId, signature, payload } = envelope.output;
  if (keyId !== key.id) return 'other-key';
  if (!timingSafeEqual(Buffer.from(signature, 'hex'), Buffer.from(sign(payload, key), 'hex'))) return 'forged';
  const parsed = v.safeParse(Payload, parseJson(payload));
  if (!parsed.success) return 'unreadable';
  const { binding } = parsed.output;
  const belongs = (Object.keys(place) as (keyof Binding)[]).every((field) => binding[field] === place[field]);
  return belongs ? parsed.output : 'misplaced';
}

function sign(payload: string, key: SigningKey): string {
  return createHmac('sha256', key.bytes).update(payload).digest('hex');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
