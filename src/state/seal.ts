import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { unzipSync } from 'fflate';
import * as v from 'valibot';
import { parseJson } from '../lib/format.ts';
import { ContentRecord, Sha256, StateDocument, Time } from './document.ts';

/** The origin of a state. It is signed with the document, so that a state cannot be moved to another gate or run. */
const Binding = v.object({
  repositoryId: v.string(),
  /** Hash of the gate: its name, workflow, job and matrix leg. */
  gate: v.string(),
  mode: v.picklist(['live', 'sandbox']),
  /** A digest of the API key. Earlier versions did not save it. */
  apiKeyId: v.optional(v.string()),
  runId: v.string(),
  runAttempt: v.number(),
  event: v.string(),
  /** The branch that was checked, as `owner:branch` for a fork. Empty if it is unknown which branch is checked out. */
  branch: v.string(),
  commit: v.string(),
  /** `open`: saved right after a submission was created. `state`: saved at the end of a run, whatever the artifact's name. */
  kind: v.picklist(['open', 'state']),
  savedAt: Time,
});
export type Binding = v.InferOutput<typeof Binding>;

/** The fields of the binding that a run knows before it saves its state. */
export type RunBinding = Omit<Binding, 'kind' | 'savedAt'>;

/** The keys are derived from it as well, so version 3 must stay readable. */
const FORMAT = 'media-compliance-gate/state/3';

const Envelope = v.object({
  format: v.literal(FORMAT),
  /** Identifies the signing key and reveals nothing about it. */
  keyId: v.string(),
  signature: Sha256,
  /** JSON as text, so that exactly the signed text is parsed. */
  payload: v.string(),
});

const Payload = v.object({ binding: Binding, document: StateDocument });

/** A state that an earlier run of any gate of the repository has saved. */
export interface SavedState extends v.InferOutput<typeof Payload> {
  /** Whether this gate saved it, with the same API key. Only such a state can be a baseline. */
  readonly isOwn: boolean;
}

type SigningKey = Readonly<ReturnType<typeof signingKey>>;

/** The key is derived, so that a signature reveals nothing about the secret itself. */
export function signingKey(secret: string) {
  const derive = (info: string, length: number): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, FORMAT, info, length));
  return { id: derive('key id', 8).toString('hex'), bytes: derive('signature', 32) };
}

export function seal(document: StateDocument, binding: Binding, key: SigningKey): string {
  const payload = JSON.stringify({ binding, document });
  return JSON.stringify({ format: FORMAT, keyId: key.id, signature: sign(payload, key), payload });
}

/** No larger state is written or read, as a file or unpacked from an artifact. */
export const MAX_STATE_BYTES = 64_000_000;

/** Why a state is not used, as the end of a sentence about it, and what to do. */
const PROBLEMS = {
  unreadable: [
    'cannot be read: it is damaged, was changed, or was saved by a newer version of this action',
    'Use the same version on all branches.',
  ],
  otherKey: [
    'was signed with another key',
    'Set `state-key` to the secret that signed it: the earlier `state-key`, or without one the earlier API key.',
  ],
  notOurs: [
    'belongs to another repository, run or kind of API key',
    'Give each kind of key its own state. If nobody moved it by mistake, find out who copied it.',
  ],
} as const;

/** A state that cannot be used. It is returned, not thrown: another state may be usable. */
export type StateProblem = Readonly<Record<'message' | 'fix', string>>;

export function isUsable(found: SavedState | StateProblem | undefined): found is SavedState {
  return found !== undefined && 'document' in found;
}

export interface SealOptions {
  readonly binding: RunBinding;
  /** The first key signs. A state that any of them has signed is accepted, so that `state-key` can be added later. */
  readonly keys: readonly [signing: SigningKey, ...others: SigningKey[]];
}

/**
 * Opens a sealed state of any gate of the repository. The binding is compared before the key, so that a state of another
 * repository is reported as such. A state file may come from any run. In an artifact, only a state of the run that
 * uploaded it is accepted.
 */
export function unseal(
  bytes: Uint8Array | undefined,
  { where, runId }: { readonly where: string; readonly runId?: string },
  { binding: ours, keys }: SealOptions,
): SavedState | StateProblem {
  const refuse = (kind: keyof typeof PROBLEMS): StateProblem => {
    const [what, fix] = PROBLEMS[kind];
    return { message: `The state in ${where} ${what}`, fix };
  };
  // Anyone can upload a state, and collecting the problems of millions of items would take minutes.
  const envelope = v.safeParse(Envelope, parseJson(new TextDecoder().decode(bytes)), { abortEarly: true });
  if (!envelope.success) return refuse('unreadable');
  const { keyId, signature, payload } = envelope.output;
  const state = v.safeParse(Payload, parseJson(payload), { abortEarly: true });
  if (!state.success) return refuse('unreadable');
  const { binding, document } = state.output;
  const isOfRun = binding.runId === (runId ?? binding.runId);
  if (binding.repositoryId !== ours.repositoryId || binding.mode !== ours.mode || !isOfRun) return refuse('notOurs');
  const key = keys.find(({ id }) => id === keyId);
  if (!key) return refuse('otherKey');
  const isSigned = timingSafeEqual(Buffer.from(signature, 'hex'), Buffer.from(sign(payload, key), 'hex'));
  if (!isSigned) return refuse('unreadable');
  const isOwnGate = binding.gate === ours.gate;
  const isOwnKey = (binding.apiKeyId ?? keyId) === ours.apiKeyId;
  const contents = isOwnKey ? document.contents : document.contents.map(asOfOtherKey);
  return { binding, document: { contents, paths: isOwnGate ? document.paths : [] }, isOwn: isOwnGate && isOwnKey };
}

/** What another API key has sent counts only once the service has responded with its submission, so it is open again. */
function asOfOtherKey(record: ContentRecord): ContentRecord {
  return v.parse(ContentRecord, { ...record, kind: 'open', isOfOtherKey: true });
}

function sign(payload: string, key: SigningKey): string {
  return createHmac('sha256', key.bytes).update(payload).digest('hex');
}

/** The name of a state's file in the archive of its artifact. */
export const STATE_FILE = 'state.json';

/**
 * Unpacks the state of an artifact in memory. Undefined if the archive is damaged, too large, or has any other entry:
 * entries may share their bytes, so unpacking a small archive of many entries would take minutes.
 */
export function stateIn(archive: Uint8Array): Uint8Array | undefined {
  let entries = 0;
  try {
    const files = unzipSync(archive, {
      filter: ({ name, originalSize }) => {
        entries += 1;
        if (entries > 1 || name !== STATE_FILE || originalSize > MAX_STATE_BYTES) throw new Error('This is no state.');
        return true;
      },
    });
    return files[STATE_FILE];
  } catch {
    return undefined;
  }
}
