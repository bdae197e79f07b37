import { plural } from '../lib/format.ts';
import { describeUnlinkedVersions, previousSubmissions } from '../plan/plan.ts';
import type { Deadline } from '../service/client.ts';
import { collect } from '../service/collect.ts';
import { metadataOf, type OpenSubmission, submit } from '../service/submit.ts';
import { upload } from '../service/upload.ts';
import { type WaitedSubmission, wait } from '../service/wait.ts';
import type { Outcome } from '../verdict/outcome.ts';
import { type Collected, type Confirmed, factsOf, type Submitted, type Waited } from '../verdict/progress.ts';
import { type Environment, type ServiceConnection, type Session, startDeadline } from './environment.ts';
import { saveOpenState, withMoves } from './save-state.ts';

/** plan → upload → submit: one submission with everything that has to be analysed. */
export async function sendFiles(
  confirmed: Confirmed,
  environment: Environment,
  { access, client, http }: Session,
): Promise<Submitted> {
  const entries = confirmed.plan.toSubmit;
  // What is awaited is known from the state of an earlier run.
  if (entries.length === 0) return { ...confirmed, stage: 'submitted', submission: undefined, isSubmissionSaved: true };
  const { inputs, context, runner } = environment;
  const { log } = runner;
  const deadline = startDeadline(environment);
  const contents = entries.map(({ content }) => content);
  const uploads = await log.group(`Uploading ${plural(contents.length, 'file')}`, () =>
    upload(contents, { concurrency: inputs.uploadConcurrency, client, http, log, baseUrl: access.baseUrl }, deadline),
  );
  const options = {
    sidekickIds: inputs.sidekickIds,
    simulationDelaySeconds: inputs.simulationDelaySeconds,
    metadata: metadataOf(inputs.metadata, context),
    previousSubmissionIds: previousSubmissions(entries),
  };
  const submission = await submit(uploads, options, { client, log, deadline });
  const created = { ...submission, createdAt: new Date().toISOString() };
  return { ...confirmed, stage: 'submitted', submission: created, isSubmissionSaved: false };
}

/** One time limit for waiting, rate limits and reading results together. */
export interface TimedSession extends Session {
  readonly deadline: Deadline;
}

/** submit → wait: polls the submission of this run and those of earlier runs together. */
export async function waitForResults(
  submitted: Submitted,
  environment: Environment,
  { access: { mode }, client, deadline }: TimedSession,
): Promise<Waited> {
  const { log } = environment.runner;
  const open = [...(submitted.submission ? [submitted.submission] : []), ...submitted.plan.toAwait];
  if (open.length === 0) return { ...submitted, stage: 'waited', waited: [] };
  const moves = new Map<string, readonly OpenSubmission[]>();
  let saving = Promise.resolve();
  const waitFor = async (submission: OpenSubmission): Promise<WaitedSubmission> => {
    // A retry in another submission is saved at once: a later run that does not know it would pay again.
    const onMoved = async (submissions: readonly OpenSubmission[]): Promise<void> => {
      moves.set(submission.submissionId, submissions);
      // One after the other: all of them write the same file.
      saving = saving.then(async () => void (await saveOpenState(withMoves(submitted, moves), environment)));
      await saving;
    };
    return await wait(submission, { client, log, mode, deadline, onMoved });
  };
  const waited = await log.group('Waiting for the analysis', () => Promise.all(open.map(waitFor)));
  const messages = waited.flatMap(({ submission: { submissionId }, errorMessage }) =>
    errorMessage ? [`The service says about submission ${submissionId}: ${errorMessage}`] : [],
  );
  return { ...submitted, notices: [...submitted.notices, ...messages], stage: 'waited', waited };
}

/** wait → collect */
export async function collectResults(waited: Waited, { client, deadline }: TimedSession): Promise<Collected> {
  const results = await Promise.all(waited.waited.map((each) => collect(each, { client, deadline })));
  const analysed = results.flat();
  const links = waited.submission?.previousSubmissionIds ?? new Map();
  const unlinked = describeUnlinkedVersions(waited.plan.toSubmit, analysed, links);
  const notices = unlinked === undefined ? waited.notices : [...waited.notices, unlinked];
  return { ...waited, notices, stage: 'collected', analysed };
}

/**
 * Fires the synthetic event that a test workflow asked for. Whatever goes wrong is a warning: the verdict is made, and its
 * report is still to come. Such a workflow expects the event in every run: if everything was reused, it is fired for an
 * earlier submission.
 */
export async function fireEvent(
  { progress, ending }: Outcome,
  environment: Environment,
  connection: ServiceConnection,
): Promise<void> {
  const { sandboxEvent: eventType, sandboxErrorMessage: errorMessage } = environment.inputs;
  const { session } = connection;
  if (!eventType || !session || ending.kind !== 'complete') return;
  const { submission, plan } = factsOf(progress);
  const submissionId =
    submission?.submissionId ?? plan?.toAwait[0]?.submissionId ?? plan?.toReuse[0]?.known.submissionId;
  if (submissionId === undefined) return;
  const { log } = environment.runner;
  log.info(`Firing ${eventType} for submission ${submissionId}: it reaches every active subscription of the workspace`);
  try {
    const event = { eventType, submissionId, errorMessage };
    const dispatched = await session.client.fireEvent(event, startDeadline(environment));
    log.info(`${eventType}: dispatched to ${plural(dispatched, 'subscription')}`);
  } catch (error) {
    log.warning(`The sandbox event was not fired: ${error instanceof Error ? error.message : String(error)}.`);
  }
}
