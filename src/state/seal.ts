import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import * as v from 'valibot';
import { type Artifact, MAX_DOWNLOAD_BYTES } from '../github/artifacts.ts';
import { parseJson } from '../lib/format.ts';
import { type ContentRecord, isAnalysed, Sha256, StateDocument, Time } from './document.ts';

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
  /** `open`: saved right after a submission was created. `state`: saved at the end of a run. Not the name of a slot. */
  kind: v.picklist(['open', 'state']),
  savedAt: Time,
});
export type Binding = v.InferOutput<typeof Binding>;

/** The fields of the binding that a run knows before it saves its state. */
export type RunBinding = Omit<Binding, 'kind' | 'savedAt'>;

/** Increase it if older versions of this action could not read the state. Versions from 3 on must stay readable. */
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

type SigningKey = Readonly<ReturnType<typeof signingKey>>;

/** The key is derived, so that a signature reveals nothing about the secret itself. */
export function signingKey(secret: string) {
  const derive = (info: string, length: number): Buffer => Buffer.from(hkdfSync('sha256', secret, SALT, info, length));
  return { id: derive('key id', 8).toString('hex'), bytes: derive('signature', 32) };
}

export function seal(document: StateDocument, binding: Binding, key: SigningKey): string {
  const payload = JSON.stringify({ binding, document });
  return JSON.stringify({ format: `${FORMAT}${VERSION}`, keyId: key.id, signature: sign(payload, key), payload });
}

/** No larger state is read, as a file or unpacked from an artifact. */
export const MAX_STATE_BYTES = MAX_DOWNLOAD_BYTES;
/** Below the limit for reading (64 MiB) by more than a zip archive adds, so that whatever is saved can be read. */
const MAX_SAVED_BYTES = 64_000_000;

/**
 * Seals as much of a state as later runs can read: a pull request must not fill the state with so many paths that no run
 * can save it. Throws if even one path for each content is too much.
 *
 * @param found the paths that this run found, also those that `only-changed` leaves out
 */
export function sealWithinLimits(
  state: StateDocument,
  found: readonly string[],
  sealOne: (state: StateDocument) => string,
): string {
  for (const each of smallerStates(state, new Set(found))) {
    const sealed = sealOne(each);
    if (Buffer.byteLength(sealed) <= MAX_SAVED_BYTES) return sealed;
  }
  throw new Error('it is larger than 64 MB. Spread the files over several gates, each with its own `name`');
}

/** The whole state, then what is left of it if it is too large. What is cheapest to do without is left out first. */
function* smallerStates(state: StateDocument, found: ReadonlySet<string>): Generator<StateDocument> {
  yield state;
  // The service still has the texts.
  const textless = { ...state, contents: state.contents.map(withoutTexts) };
  yield textless;
  const paths = state.paths.filter(({ path }) => found.has(path));
  yield { ...textless, paths };
  // Open and failed records stay, because they say what is paid for, or must not be sent.
  const inUse = new Set(paths.map(({ sha256 }) => sha256));
  const contents = textless.contents.filter((record) => !isAnalysed(record) || inUse.has(record.sha256));
  yield { ...state, contents, paths };
  // At last also without what the run was compared with, and what was waived.
  const firstPaths = [...Map.groupBy(paths, ({ sha256 }) => sha256).values()].flatMap((group) => group.slice(0, 1));
  yield { contents, paths: firstPaths };
}

function withoutTexts(record: ContentRecord): ContentRecord {
  if (!isAnalysed(record)) return record;
  const issues = record.issues.map((issue) => ({ ...issue, summary: '', headline: undefined }));
  return { ...record, issues, topics: undefined };
}

/** Why a state is not used, as the end of a sentence about it, and what to do. */
const PROBLEMS = {
  missing: ['was deleted or has expired', ''],
  unreadable: ['cannot be read: it is damaged, too large or no state', ''],
  newer: ['was saved by a newer version of this action', 'Use the same version on all branches.'],
  'other-key': [
    'was signed with another key',
    'Set `state-key` to the secret that signed it: the earlier `state-key`, or without one the earlier API key.',
  ],
  forged: ['has an invalid signature', 'Find out who wrote it: somebody may have tampered with it.'],
  'not-ours': [
    'belongs to another gate (name, workflow, job or matrix leg), repository, run or kind of API key',
    'Give each gate and each kind of key its own state. If nobody moved it by mistake, find out who copied it.',
  ],
} as const;

/** Where a state was found: an artifact, or the path of a state file. */
type Location = Pick<Artifact, 'name' | 'runId'> | string;

/** A state that cannot be used. It is returned, not thrown: another state may be usable. */
export class StateProblem {
  readonly kind: keyof typeof PROBLEMS;
  readonly message: string;
  readonly fix: string;

  constructor(kind: StateProblem['kind'], location: Location) {
    const [what, fix] = PROBLEMS[kind];
    const where =
      typeof location === 'string'
        ? `\`state-file\` (${location})`
        : `the artifact ${location.name} of run ${location.runId}`;
    this.kind = kind;
    this.message = `The state in ${where} ${what}`;
    this.fix = fix;
  }

  get notice(): string {
    return `${this.message}. Its files may be sent and billed again. ${this.fix}`.trimEnd();
  }
}

export interface SealOptions {
  readonly binding: RunBinding;
  /** The first key signs. A state that any of them has signed is accepted, so that `state-key` can be added later. */
  readonly keys: readonly [signing: SigningKey, ...others: SigningKey[]];
}

/**
 * Opens a sealed state. The binding is compared before the key, so that a state of another gate is reported as such. A
 * state file may come from any run. In an artifact, only a state of the run that uploaded it is accepted.
 */
export function unseal(
  bytes: Uint8Array | undefined,
  location: Location,
  { binding: ours, keys }: SealOptions,
): SavedState | StateProblem {
  const refuse = (kind: StateProblem['kind']) => new StateProblem(kind, location);
  const sealed = parseJson(new TextDecoder().decode(bytes));
  const version = v.safeParse(Versioned, sealed);
  if (version.success && version.output > VERSION) return refuse('newer');
  // Anyone can upload a state, and collecting the problems of millions of items would take minutes.
  const envelope = v.safeParse(Envelope, sealed, { abortEarly: true });
  if (!envelope.success) return refuse('unreadable');
  const { keyId, signature, payload } = envelope.output;
  const state = v.safeParse(SavedState, parseJson(payload), { abortEarly: true });
  if (!state.success) return refuse('unreadable');
  const { binding } = state.output;
  const isOurGate = binding.repositoryId === ours.repositoryId && binding.gate === ours.gate;
  const isOfRun = typeof location === 'string' || binding.runId === location.runId;
  if (!isOurGate || binding.mode !== ours.mode || !isOfRun) return refuse('not-ours');
  const key = keys.find(({ id }) => id === keyId);
  if (!key) return refuse('other-key');
  const isSigned = timingSafeEqual(Buffer.from(signature, 'hex'), Buffer.from(sign(payload, key), 'hex'));
  return isSigned ? state.output : refuse('forged');
}

function sign(payload: string, key: SigningKey): string {
  return createHmac('sha256', key.bytes).update(payload).digest('hex');
}
