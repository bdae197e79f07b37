import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { exchange, type Incoming, type Transport } from '../../src/http/exchange.ts';
import type { HttpRequest } from '../../src/http/http.ts';

const REQUEST: HttpRequest = {
  method: 'GET',
  url: 'https://service.example',
  headers: {},
  timeouts: { answerMs: 10_000, stallMs: 10_000 },
  signal: new AbortController().signal,
};

/** A way that keeps the signal it is given. */
function transportTo(begin: () => Promise<Incoming>): Transport & { readonly signals: AbortSignal[] } {
  const signals: AbortSignal[] = [];
  return {
    signals,
    begin: async (_request, _watch, signal) => {
      signals.push(signal);
      return await begin();
    },
    close: async () => undefined,
  };
}

describe('what is left of an exchange', () => {
  it.each<[string, () => Promise<Incoming>]>([
    [
      'that was answered',
      async () => ({ status: 200, headers: {}, body: ReadableStream.from([Buffer.from('ok')]), end: () => undefined }),
    ],
    [
      'that failed',
      async () => {
        throw new Error('no way');
      },
    ],
  ])('%s: nobody listens to its signal any more', async (_, begin) => {
    const transport = transportTo(begin);
    await exchange(REQUEST, transport).catch(() => undefined);
    expect(transport.signals.map((signal) => getEventListeners(signal, 'abort'))).toEqual([[]]);
  });

  it('an abort ends it, though the way does not notice', async () => {
    const run = new AbortController();
    const transport = transportTo(async () => await new Promise(() => undefined));
    const sending = exchange({ ...REQUEST, signal: run.signal }, transport);
    run.abort(new Error('the run was stopped'));
    await expect(sending).rejects.toThrow('the run was stopped');
    expect(transport.signals.map((signal) => getEventListeners(signal, 'abort'))).toEqual([[]]);
  });
});
