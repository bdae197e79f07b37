import { expect } from 'vitest';
import { fireEvent } from '../../src/service/fire-event.ts';
import { clientOf, deadlineIn, inFakeTime, it, response, type Service } from './fake-service.ts';

/** What is logged if the service responds like this. */
async function fired(service: Service) {
  const { client, log, lines, warnings, sent } = clientOf(service);
  const event = { eventType: 'asset.processing.failed', submissionId: 'S', errorMessage: 'It broke' } as const;
  const { signal } = deadlineIn(1);
  await inFakeTime(async () => await fireEvent(event, { client, log, signal }));
  return {
    line: lines.at(-1),
    warnings,
    bodies: sent.flatMap(({ body }) => (typeof body === 'string' ? [JSON.parse(body)] : [])),
  };
}

it('an event that is fired says how many it reached, even if that took a second try', async () => {
  const { line, warnings, bodies } = await fired((_, nth) =>
    nth === 1 ? response(500) : response(200, { dispatched: 2 }),
  );
  expect(line).toBe('asset.processing.failed: dispatched to 2 subscriptions');
  expect(warnings).toEqual([]);
  const event = { eventType: 'asset.processing.failed', submissionId: 'S', errorMessage: 'It broke' };
  expect(bodies).toEqual([event, event]);
});

it('an event that is not fired is a warning', async () => {
  const { warnings } = await fired(() => response(403, { detail: 'No' }));
  expect(warnings).toEqual([
    'The sandbox event was not fired: The service responded with 403 while firing the sandbox event: No.',
  ]);
});

it('a run that is stopped while it fires the event still reports its verdict', async () => {
  const stop = new AbortController();
  const { client, log, warnings } = clientOf(() => {
    stop.abort(new Error('stopped by SIGINT'));
    return response(429, {}, '50');
  });
  const event = { eventType: 'asset.processing.failed', submissionId: 'S', errorMessage: undefined } as const;
  await inFakeTime(async () => await fireEvent(event, { client, log, signal: stop.signal }));
  expect(warnings).toEqual(['The sandbox event was not fired: stopped by SIGINT.']);
});
