import type { Scenario } from '../../emulator/emulator.ts';
import type { Endpoint } from '../../emulator/http.ts';
import type { UploadStep } from '../harness/artifact-service.ts';

/** The store of the state; a lost machine has no post step. */
export type Store = 'file' | 'artifact' | 'artifact, no post step';

/** The moment at which the process is killed. */
export type Moment =
  /** A line of the log. */
  | { readonly line: RegExp }
  /** A request to the service has arrived and gets no response. `done`: the service has processed it. */
  | { readonly request: Endpoint; readonly nth?: number; readonly done?: true }
  /** A step of an artifact's upload has arrived, and is not answered. */
  | { readonly upload: UploadStep; readonly nth: number }
  /** A request to GitHub has arrived, and is not answered. */
  | { readonly github: RegExp };

export interface CrashPoint {
  readonly name: string;
  readonly store: Store;
  readonly at: Moment;
  /** Submissions after the next run. Two are allowed only in the one documented window. */
  readonly submissions: 1 | 2 | 'one or two';
}

const ISSUES = [{ severity: 'CRITICAL', ruleCode: 'AD-17' }, { severity: 'MINOR' }];

/** For four files, of which one fails at first. */
export const SCENARIO: Scenario = {
  files: [
    { match: 'hero', issues: ISSUES, reads: 1 },
    { match: 'logo', issues: [{ severity: 'MAJOR' }], fails: { times: 1 } },
  ],
};

type Point = Omit<CrashPoint, 'store'>;

/** Without a submission the store of the state makes no difference. */
const BEFORE_CREATION: readonly Point[] = [
  { name: 'when the files are found', at: { line: /^\d+ files to check$/ }, submissions: 1 },
  { name: 'after upload 2 of 4', at: { line: /^\[2\/4\] / }, submissions: 1 },
  { name: 'while a direct upload is sent', at: { request: 'uploads/direct', nth: 2 }, submissions: 1 },
  { name: 'while an upload address is asked for', at: { request: 'uploads/url' }, submissions: 1 },
  { name: 'while storage stores', at: { request: 'storage/put' }, submissions: 1 },
  { name: 'before the submission is created', at: { request: 'submissions/create' }, submissions: 1 },
];

/** What is saved does not change between these, so one store is enough. */
const BETWEEN_SAVES: readonly Point[] = [
  { name: 'at the first look', at: { request: 'submissions/read' }, submissions: 1 },
  { name: 'at a later look', at: { request: 'submissions/read', nth: 2 }, submissions: 1 },
  { name: 'before a retry', at: { request: 'assets/retry' }, submissions: 1 },
  { name: 'while an asset is read', at: { request: 'assets/read', nth: 2 }, submissions: 1 },
  { name: 'while issues are read', at: { request: 'assets/issues' }, submissions: 1 },
  { name: 'while topics are read', at: { request: 'assets/topics' }, submissions: 1 },
  { name: 'while the comment is written', at: { github: /^POST .*\/comments$/ }, submissions: 1 },
  { name: 'at the first annotation', at: { line: /^::error title=/ }, submissions: 1 },
];

/** At each of these another state is saved, or none. */
const AFTER_CREATION: readonly Point[] = [
  {
    name: 'after the submission was created, before the response',
    at: { request: 'submissions/create', done: true },
    submissions: 2,
  },
  { name: 'as soon as the creation is logged', at: { line: /^Submission .* created/ }, submissions: 'one or two' },
  { name: 'after a retry that was accepted', at: { request: 'assets/retry', done: true }, submissions: 1 },
  { name: 'before the report files', at: { line: /^Note: / }, submissions: 1 },
  { name: 'after the last word', at: { line: /verdict fail$/ }, submissions: 1 },
];

const WITH_UPLOADS: readonly CrashPoint[] = (['CreateArtifact', 'put', 'FinalizeArtifact'] as const).flatMap(
  (upload) => {
    const puts = upload === 'put' ? 2 : 1;
    return [
      // The file is on disk, and the post step uploads it.
      { name: `first save: ${upload}`, store: 'artifact', at: { upload, nth: 1 }, submissions: 1 },
      { name: `second save: ${upload}`, store: 'artifact', at: { upload, nth: 1 + puts }, submissions: 1 },
      { name: `report: ${upload}`, store: 'artifact', at: { upload, nth: 1 + 2 * puts }, submissions: 1 },
      // Without it the window lasts until the artifact is uploaded.
      { name: `first save: ${upload}`, store: 'artifact, no post step', at: { upload, nth: 1 }, submissions: 2 },
      {
        name: `second save: ${upload}`,
        store: 'artifact, no post step',
        at: { upload, nth: 1 + puts },
        submissions: 1,
      },
    ] satisfies CrashPoint[];
  },
);

export const CRASH_POINTS: readonly CrashPoint[] = [
  ...[...BEFORE_CREATION, ...BETWEEN_SAVES].map((point): CrashPoint => ({ ...point, store: 'file' })),
  ...AFTER_CREATION.map((point): CrashPoint => ({ ...point, store: 'file' })),
  ...AFTER_CREATION.map((point): CrashPoint => ({ ...point, store: 'artifact' })),
  ...WITH_UPLOADS,
];
