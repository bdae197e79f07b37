import type { Cause } from '../lib/cause.ts';
import { concurrently } from '../lib/concurrently.ts';
import { type Deadline, MAX_CONCURRENT_READS, type ServiceClient } from '../service/client.ts';
import { readUnlessGone } from '../service/read-unless-gone.ts';
import type { SubmissionAnswer } from '../service/responses.ts';
import { explain, ServiceError } from '../service/service-error.ts';
import type { Plan } from './plan.ts';

/** A submission as the service tells it, with its assets ready to be asked for. */
export interface FoundSubmission {
  readonly answer: SubmissionAnswer;
  readonly assets: ReadonlyMap<string, SubmissionAnswer['assets'][number]>;
}

interface Submissions {
  readonly found: ReadonlyMap<string, FoundSubmission>;
  readonly gone: ReadonlySet<string>;
  /** Those whose answer is of no use, and why. */
  readonly refused: ReadonlyMap<string, ServiceError>;
  /** Why there was no answer for some: what the others say counts all the same. */
  readonly silence: Cause | undefined;
}

/** Reads every submission that a plan counts on, once. */
export async function readSubmissions(
  { reuse, await: awaited }: Plan,
  client: ServiceClient,
  deadline: Deadline,
): Promise<Submissions> {
  const reused = Map.groupBy(reuse, ({ known }) => known.submissionId);
  const ids = new Set([...reused.keys(), ...awaited.map(({ submissionId }) => submissionId)]);
  const found = new Map<string, FoundSubmission>();
  const gone = new Set<string>();
  const refused = new Map<string, ServiceError>();
  let silence: Cause | undefined;
  await concurrently([...ids], MAX_CONCURRENT_READS, async (id, stop) => {
    // Once the service is given up, nobody waits for it again.
    if (silence) return;
    try {
      const signal = AbortSignal.any([deadline.signal, stop]);
      const assetIds = reused.get(id)?.map(({ known }) => known.assetId);
      const answer = await readUnlessGone(id, client, { ...deadline, signal }, assetIds);
      if (answer) found.set(id, { answer, assets: new Map(answer.assets.map((asset) => [asset.assetId, asset])) });
      else gone.add(id);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.endsRun) throw error;
      if (error.isOutage) silence = explain(error);
      else refused.set(id, error);
    }
  });
  return { found, gone, refused, silence };
}
