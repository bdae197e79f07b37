import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Endpoint } from '../../emulator/http.ts';
import { endpointOf, startFront } from './front.ts';

export type Break = 'connection refused' | 'unknown host';

/** The last response that is passed on: the nth of an endpoint, counted from 1. */
export interface LastResponse {
  readonly of: Endpoint;
  readonly nth: number;
}

/** Passes requests on up to the given response, or none if it is undefined. Then the service is unreachable. */
export async function startBreakingConnection(target: string, how: Break, last: LastResponse | undefined) {
  const flag = path.join(tmpdir(), `no-names-${randomUUID()}`);
  let left = last?.nth ?? 0;
  const front = await startFront(target, {
    fault: (line) => {
      if (endpointOf(line) === last?.of) left -= 1;
      if (left > 0) return undefined;
      writeFileSync(flag, '');
      return 'last';
    },
  });
  const dispose = front[Symbol.asyncDispose];
  if (last === undefined) {
    writeFileSync(flag, '');
    await dispose();
  }
  const isUnknown = how === 'unknown host';
  const noNames = `--import=${new URL('./no-names.mjs', import.meta.url).href}`;
  return {
    url: isUnknown ? front.url.replace('127.0.0.1', 'localhost') : front.url,
    env: isUnknown ? { NODE_OPTIONS: noNames, NO_NAMES_WHILE: flag } : {},
    async [Symbol.asyncDispose]() {
      rmSync(flag, { force: true });
      await dispose();
    },
  };
}
