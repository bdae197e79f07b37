import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { FaultSchema, nameMatches } from './fault.ts';
import { READY_SCENARIOS } from './ready-scenarios.ts';

const BUCKETS = ['upload', 'submission_write', 'submission_read', 'webhook_write', 'webhook_read', 'sandbox'] as const;

export type Bucket = (typeof BUCKETS)[number];

/** What a service may do to a file name. */
const FILENAMES = [
  'unchanged',
  'lower-case',
  'upper-case',
  'underscores',
  'letters-and-digits',
  'in-folder',
  'without-extension',
  'cut-to-64',
] as const;

/** Why storage refuses to write a blob again. */
export const BLOB_CODES = ['BlobAlreadyExists', 'ConditionNotMet', 'PreconditionFailed'] as const;

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));
const Milliseconds = v.pipe(v.number(), v.minValue(0));
const Text = v.string();

/**
 * An issue to be found. Every field has a default: `{}` is an open MAJOR issue of the rule `CLAIM-01`. A severity or status
 * that the interface does not list is allowed.
 */
const IssueSchema = v.strictObject({
  /** The same in every submission; default: a new one each time. */
  id: v.exactOptional(v.pipe(Text, v.uuid())),
  summary: v.exactOptional(Text),
  severity: v.exactOptional(Text),
  status: v.exactOptional(Text),
  createdAt: v.exactOptional(Text),
  updatedAt: v.exactOptional(Text),
  referenceNumber: v.exactOptional(v.pipe(v.number(), v.integer())),
  ruleCode: v.exactOptional(Text),
  /** If the submission names its sidekicks, an issue of another one is not found. */
  sidekickId: v.exactOptional(v.pipe(Text, v.uuid())),
  severityReasoning: v.exactOptional(Text),
  severityReasoningHeadline: v.exactOptional(Text),
  precedents: v.exactOptional(v.array(v.strictObject({ url: Text, title: Text, decision: Text, date: Text }))),
});

const FailureSchema = v.strictObject({
  /** How many analyses fail before one succeeds; default: all of them. */
  times: v.exactOptional(Count),
  /** Null is allowed, here and in the message. */
  errorType: v.optional(v.nullable(Text), 'ANALYSIS_ERROR'),
  errorMessage: v.optional(v.nullable(Text), 'The analysis stopped unexpectedly.'),
  isRetryable: v.optional(v.boolean(), true),
  /** The list of assets shows this error also after a retry, even one that succeeded. */
  errorStays: v.optional(v.boolean(), false),
  /** The status that the failed asset itself reports. */
  ownStatus: v.optional(Text, 'failed'),
});

/** What a service may make of the items of a list. */
export const ITEM_FORMS = ['wrapped', 'nested', 'by-id', 'ids', 'with-sum', 'null', 'texts'] as const;
export type ItemForm = (typeof ITEM_FORMS)[number];

/** How a list whose shape the interface does not show is sent. */
const ListSchema = v.strictObject({
  /**
   * `wrapped`: each item in an object; `nested`: the list inside an object, beside links; `by-id`: an object with the ids as
   * names; `ids`: only the ids; `with-sum`: a last row with the number of items; `null`: nothing; `texts`: numbers as texts.
   */
  form: v.exactOptional(v.picklist(ITEM_FORMS)),
  /** `array`: bare; `unreadable`: no list at all; any other word: an object with the list under that key. */
  as: v.exactOptional(Text),
  /** Only this many items are sent. */
  short: v.exactOptional(Count),
  /** Number of items in a page. `?page=` selects one, and each page links to the next. */
  pageSize: v.exactOptional(v.pipe(Count, v.minValue(1))),
});

const fileFields = {
  /** What the analysis finds. */
  issues: v.exactOptional(v.array(IssueSchema)),
  /** The analysis fails instead. */
  fails: v.exactOptional(FailureSchema),
  /** How long the analysis takes. With 0 it has ended when the creation returns. */
  ms: v.exactOptional(Milliseconds),
  /** How many reads of the submission or the asset see it unfinished. Tests wait with it without a clock. */
  reads: v.exactOptional(Count),
  /** How many reads of the submission see `issueCount` null although the asset is complete. */
  nullIssueCountReads: v.exactOptional(Count),
  /** How many reads of the asset see it unfinished although the submission is complete. */
  lateResultReads: v.exactOptional(Count),
  /** The flat list of issues. */
  issuesList: v.exactOptional(ListSchema),
  /** The asset result holds only this many issues. */
  resultShort: v.exactOptional(Count),
  /** The whole response of `topics`. Default: clusters by rule. */
  topics: v.exactOptional(v.unknown()),
};

const RateLimitSchema = v.strictObject({
  limit: Count,
  perSeconds: v.pipe(v.number(), v.gtValue(0)),
  /** The value of `Retry-After`; default: the seconds until there is room. Text allows invalid values. */
  retryAfter: v.exactOptional(v.union([v.number(), Text])),
});

const ScenarioSchema = v.strictObject({
  /**
   * What happens to which file: the first rule whose `match` (glob or substring) fits the name under which it is sent. The
   * gate sends `campaign/hero.mp4` as `campaign-hero-`, digits and `.mp4`.
   */
  files: v.optional(v.array(v.strictObject({ match: Text, ...fileFields })), []),
  /** What happens to every file, unless `files` says otherwise. */
  default: v.optional(v.strictObject(fileFields), {}),

  /** Lists of assets have another order each time, never that of the request. */
  shuffleAssets: v.optional(v.boolean(), false),
  /** Lists of issues have another order each time. */
  shuffleIssues: v.optional(v.boolean(), false),
  /** How often every list holds each issue. Counts are those of the longer list. */
  repeatIssues: v.optional(v.pipe(Count, v.minValue(1)), 1),
  /** Which responses give `issueCount`; in the others it is null. */
  issueCounts: v.optional(v.picklist(['all', 'submission', 'asset', 'none']), 'all'),
  /** `assets` of a submission is null until all of them are complete or failed. */
  assetsNullUntilEnd: v.optional(v.boolean(), false),
  /** A submission also lists the earlier versions of its assets. */
  listEarlierVersions: v.optional(v.boolean(), false),
  /** A submission lists one more asset, of this name; `*` stands for the first file's name without extension. */
  strayAsset: v.exactOptional(Text),
  /** What the service makes of the file names that it reports. */
  filenames: v.optional(v.picklist(FILENAMES), 'unchanged'),
  /** The list of versions. */
  versionsList: v.optional(ListSchema, {}),
  /** The top-level status of every read of a submission, true or not. */
  status: v.exactOptional(Text),
  /** The top-level status in successive reads of a submission, true or not. Later reads report the real one. */
  statuses: v.optional(v.array(Text), []),
  /** The top-level status while an asset is unfinished. Default: `submitted` once, then `processing`. */
  statusWhileUnfinished: v.exactOptional(Text),
  /** The asset's own status while it is unfinished. */
  assetStatusWhileUnfinished: v.optional(Text, 'processing'),
  /** The error message of a failed submission; default: how many of its assets failed. */
  submissionError: v.exactOptional(Text),
  /** `progressPercent` of successive reads. Later reads report the share of finished assets. */
  progress: v.optional(v.array(v.number()), []),
  /** An asset is 404 until it is complete; one that failed stays so. */
  assetOnlyWhenComplete: v.optional(v.boolean(), false),
  /**
   * How the earlier version of an asset is found in the submission that `previousSubmissionId` names:
   * - `filename`: by the name without its content hash, else by that without its extension; the only asset of a
   *   submission is found under any name;
   * - `exact-filename`: only by exactly the same name;
   * - `never`: the field is accepted, and every asset is a first version;
   * - `not-found`: every creation with the field is a 404, although the earlier submission can be read;
   * - `refused`: every creation with the field is a 422.
   */
  linkVersions: v.optional(v.picklist(['filename', 'exact-filename', 'never', 'not-found', 'refused']), 'filename'),
  /** How many earlier versions a file has when it is sent for the first time. */
  versionsBefore: v.optional(Count, 0),

  /** Maximum retries of one asset. */
  maxRetries: v.optional(Count, 3),
  /**
   * What a retry creates: by default nothing; or a new asset in place of the old one; or the next version of the asset, beside
   * the failed one; or a submission with a new asset.
   */
  retryCreates: v.optional(v.picklist(['nothing', 'asset', 'version', 'submission']), 'nothing'),
  /** A retry is refused with 409 while another asset of the submission is being retried. */
  oneRetryAtATime: v.optional(v.boolean(), false),
  /** How many reads after an accepted retry still see the old failure. */
  retryLagReads: v.optional(Count, 0),
  /** When this scenario is loaded, the service by itself analyses again what failed before, at no cost. */
  healsFailed: v.optional(v.boolean(), false),

  /** Which sidekicks run if a creation leaves `sidekickIds` out. */
  defaultSidekicks: v.optional(v.picklist(['all', 'none']), 'all'),
  /** The body of a 422: one sentence, or a list of errors as FastAPI sends it. */
  validationErrors: v.optional(v.picklist(['sentence', 'fastapi']), 'sentence'),
  /** Maximum assets of one submission (422 above). */
  maxAssets: v.exactOptional(Count),
  /** Maximum bytes by category, checked at creation. */
  sizeCaps: v.optional(
    v.strictObject({
      video: v.optional(Count, 5_000_000_000),
      audio: v.optional(Count, 500_000_000),
      image: v.optional(Count, 50_000_000),
      document: v.optional(Count, 100_000_000),
    }),
    {},
  ),
  /** Maximum bytes of a direct upload. */
  directCap: v.optional(Count, 10_000_000),
  /** Lifetime of a presigned URL. At 0 it has expired when it arrives. */
  uploadUrlSeconds: v.optional(v.pipe(v.number(), v.minValue(0)), 3600),
  /** Limits by bucket; a bucket without one is not limited. */
  rateLimits: v.optional(v.record(v.picklist(BUCKETS), RateLimitSchema), {}),
  /**
   * What storage makes of a PUT of a blob that it has: by default it replaces the blob. Otherwise it refuses the PUT with this
   * code, as Azure (the first two) and S3 do.
   */
  existingBlobs: v.optional(v.picklist(['replaced', ...BLOB_CODES]), 'replaced'),
  /** A delay before each request is handled. */
  latencyMs: v.optional(Milliseconds, 0),
  /** A delay before the response to a creation, which is done by then. */
  creationMs: v.optional(Milliseconds, 0),

  /** Every object in a response has an extra, unknown field. */
  extraFields: v.optional(v.boolean(), false),
  /** What becomes of the fields that an asset result need not have. */
  optionalFields: v.optional(v.picklist(['sent', 'null', 'left-out']), 'sent'),
  /** Fields with the value null are left out. */
  omitNulls: v.optional(v.boolean(), false),
  /** The case of identifiers; `mixed` changes with every response. */
  idCase: v.optional(v.picklist(['lower', 'upper', 'mixed']), 'lower'),
  /** The status of every success; default: the one of the interface. */
  successStatus: v.exactOptional(v.picklist([200, 201, 202, 203])),
  /** The case of the names of headers. */
  headerCase: v.optional(v.picklist(['lower', 'upper']), 'lower'),
  /** Responses are compressed, whether or not the client asks for it. */
  gzip: v.optional(v.boolean(), false),
  /** A GET is redirected, with this status, to the same path with a slash at its end. */
  redirectToSlash: v.exactOptional(v.picklist([307, 308])),
  /** What goes wrong, and when. The first fault that matches a request is used. */
  faults: v.optional(v.array(FaultSchema), []),
});

/** How the service treats one workspace. Everything has a default: with `{}` nothing is found and nothing fails. */
export type Scenario = DeepReadonly<v.InferInput<typeof ScenarioSchema>>;
export type LoadedScenario = v.InferOutput<typeof ScenarioSchema>;
export type IssueSpec = v.InferOutput<typeof IssueSchema>;
/** An issue as the service reports it. */
export type Issue = Required<IssueSpec>;
export type Failure = Pick<v.InferOutput<typeof FailureSchema>, 'errorType' | 'errorMessage' | 'isRetryable'>;
export type ListShape = v.InferOutput<typeof ListSchema>;
export type RateLimits = LoadedScenario['rateLimits'];

/** Lets a literal `as const` be a scenario. */
type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

type FileFields = LoadedScenario['default'];
export type FileRule = FileFields &
  Required<Pick<FileFields, 'issues' | 'ms' | 'reads' | 'nullIssueCountReads' | 'lateResultReads'>>;

/** Checks a scenario; the error names every field that is wrong. */
export function parseScenario(scenario: unknown): LoadedScenario {
  const result = v.safeParse(ScenarioSchema, scenario);
  if (result.success) return result.output;
  const problems = result.issues.map((issue) => `${v.getDotPath(issue) ?? 'scenario'}: ${describeIssue(issue)}`);
  throw new Error(`The scenario is not valid.\n${problems.join('\n')}`);
}

/** Describes a validation error in plain words. */
function describeIssue({ expected, received, message }: v.BaseIssue<unknown>): string {
  if (expected === null) return message;
  if (expected === 'never') return 'There is no such field.';
  if (received === 'undefined') return 'This field is missing.';
  return `Expected ${expected.replace(/^\((.*)\)$/s, '$1').replaceAll(' | ', ' or ')}, got ${received}.`;
}

export function ruleFor(scenario: LoadedScenario, filename: string): FileRule {
  const found = scenario.files.find((rule) => nameMatches(rule.match, filename));
  return { issues: [], ms: 0, reads: 0, nullIssueCountReads: 0, lateResultReads: 0, ...scenario.default, ...found };
}

/** Reads a scenario: JSON, one of the ready ones by its name, or a JSON file by its path. */
export async function readScenario(text: string): Promise<LoadedScenario> {
  if (text.trimStart().startsWith('{')) return parseScenario(JSON.parse(text));
  const ready = READY_SCENARIOS[text];
  if (ready !== undefined) return parseScenario(ready);
  if (!existsSync(text)) {
    const names = Object.keys(READY_SCENARIOS).join(', ');
    throw new Error(`There is no scenario "${text}". Name a JSON file, or one of ${names}.`);
  }
  try {
    return parseScenario(JSON.parse(await readFile(text, 'utf8')));
  } catch (error) {
    throw new Error(`${text}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
