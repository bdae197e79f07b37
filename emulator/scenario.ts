import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import * as v from 'valibot';
import { FaultSchema } from './fault.ts';
import { READY_SCENARIOS } from './ready-scenarios.ts';

const BUCKETS = ['upload', 'submission_write', 'submission_read', 'webhook_write', 'webhook_read', 'sandbox'] as const;

export type Bucket = (typeof BUCKETS)[number];

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

  /** Maximum bytes of a direct upload. */
  directCap: v.optional(Count, 10_000_000),
  /** Lifetime of a presigned URL. At 0 it has expired when it arrives. */
  uploadUrlSeconds: v.optional(v.pipe(v.number(), v.minValue(0)), 3600),
  /** Limits by bucket; a bucket without one is not limited. */
  rateLimits: v.optional(v.record(v.picklist(BUCKETS), RateLimitSchema), {}),
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
export type RateLimits = LoadedScenario['rateLimits'];

/** Lets a literal `as const` be a scenario. */
type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

type FileFields = LoadedScenario['default'];
type FileRule = FileFields & Required<Pick<FileFields, 'issues' | 'ms' | 'reads'>>;

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
  const found = scenario.files.find(({ match }) => filename.includes(match) || posix.matchesGlob(filename, match));
  return { issues: [], ms: 0, reads: 0, ...scenario.default, ...found };
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
