import { nothingFound } from '../../src/findings.ts';
import type { Policy } from '../../src/inputs/parse.ts';
import { awaitedSubmissions, contentsToSend, makePlan, type PlanBasis, submissionsToAsk } from '../../src/plan/plan.ts';
import type { Analysis } from '../../src/service/analysis.ts';
import type { Mode } from '../../src/service/endpoints.ts';
import { createReader } from '../../src/service/reader.ts';
import type { NeededSubmission } from '../../src/service/submission.ts';
import { analysisId, type ContentRecord } from '../../src/state/document.ts';
import { mergeState } from '../../src/state/merge.ts';
import { countedContents, judge } from '../../src/verdict/judge.ts';
import { inFakeTime } from '../builders/fake-time.ts';
import { file, sentName } from '../builders/media.ts';
import { deadlineIn, type Said, serviceOf } from '../builders/service.ts';
import { basis, open } from '../builders/states.ts';

export const POLICY: Policy = {
  failOnSeverity: 'CRITICAL',
  failOnIssues: 'all',
  ignoreStatuses: ['DISMISSED'],
  onServiceError: 'warn',
};

export interface Run extends Partial<Pick<PlanBasis, 'isRerun' | 'reuseDays' | 'runId' | 'now'>> {
  /** The files of this run, by seed. Default: A. */
  readonly seeds?: readonly string[];
  readonly mode?: Mode;
  readonly minutes?: number;
  /** The submission that the run creates if it sends a file, as the service has it. */
  readonly creates?: string;
}

/**
 * What the parts of a run do together, in the order of `run.ts`: ask, plan, create, wait, judge and save. Starts from the
 * records of earlier runs, and from what the service says about each submission.
 */
export async function runOnce(records: readonly ContentRecord[], says: Readonly<Record<string, Said>>, run: Run = {}) {
  const { seeds = ['A'], mode = 'live', minutes = 30, creates = 'created', ...rules } = run;
  const service = serviceOf(says, { mode });
  const files = seeds.map((seed) => file(`${seed.toLowerCase()}.png`, seed));
  const planFrom = basis(files, { contents: [...records] }, rules);
  const { earlierState, runId, now } = planFrom;
  const seedOf = (sha256: string) => seeds[files.findIndex((each) => each.sha256 === sha256)] ?? '';
  const { value, ms } = await inFakeTime(async () => {
    const reader = createReader({ ...service, failOnSeverity: 'CRITICAL' });
    const read = new Map<string, Analysis>();
    const note = (analyses: readonly Analysis[]): void => {
      for (const each of analyses) read.set(analysisId({ ...each.content, ...each }), each);
    };
    const asked = await reader.ask(submissionsToAsk(planFrom, read), deadlineIn(5));
    note(asked.flatMap(({ analyses }) => analyses));
    const plan = makePlan(planFrom, read);
    const contents = contentsToSend(plan).map((each) => ({ ...each, name: sentName(seedOf(each.sha256)) }));
    const created: NeededSubmission[] =
      contents.length === 0
        ? []
        : [{ submissionId: creates, files: contents.map((content) => ({ content })), knownAssets: new Set() }];
    const awaited = awaitedSubmissions(plan, earlierState);
    const results = await reader.wait([...created, ...awaited], deadlineIn(minutes));
    note(results.flatMap(({ analyses }) => analyses));
    const known = new Set([...created, ...awaited].map(({ submissionId }) => submissionId));
    const moved = results.filter(({ submissionId }) => !known.has(submissionId));
    const sent = [
      ...contents.map((content) => ({ content, submissionId: creates })),
      ...moved.flatMap(({ analyses }) => analyses),
    ].flatMap(({ content: { sha256 }, submissionId }) =>
      open(submissionId, [seedOf(sha256)], { at: now.toISOString(), runId }),
    );
    return { plan, analyses: [...read.values()], sent };
  });
  const found = { ...nothingFound(), ...value };
  const verdict = judge(found, POLICY);
  const rest = { foundPaths: files.map(({ path }) => path), comparedWith: undefined, waived: [], reuseDays: 90, now };
  return {
    saved: mergeState(earlierState, { ...found, ...rest, contents: countedContents(found) }).contents,
    /** Such as "error results red": under `on-service-error: warn`. */
    verdict: [verdict.name, verdict.reason, verdict.isPassing ? 'green' : 'red'].filter(Boolean).join(' '),
    contents: verdict.contents,
    /** What becomes of each file: "awaited working", for example. */
    files: verdict.contents.map(({ source, outcome }) => `${source.kind} ${outcome}`).join(', '),
    bills: value.plan.contents.filter(({ source }) => source.kind === 'sent').length,
    minutes: ms / 60_000,
    asked: service.asked.map(({ path }) => path),
  };
}
