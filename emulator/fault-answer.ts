import type { ServerResponse } from 'node:http';
import { type Answer, json, planRefusal, rateRefusal } from './answer.ts';
import type { Fault } from './fault.ts';

export function send(response: ServerResponse, answer: Answer): void {
  response.writeHead(answer.status, { ...answer.headers, 'content-length': Buffer.byteLength(answer.body) });
  response.end(answer.body);
}

/** The answer that replaces the true one; `undefined` if the fault damages that one or sends none. */
export function answerInstead(fault: Fault): Answer | undefined {
  if (fault.status !== undefined) return statusAnswer(fault.status, fault);
  if (fault.redirect !== undefined) return { status: 307, headers: { location: fault.redirect }, body: '' };
  if (fault.html !== undefined) {
    const body = `<!doctype html><html><head><title>${fault.html}</title></head><body><h1>Gateway</h1></body></html>\n`;
    return { status: fault.html, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
  }
  return undefined;
}

function statusAnswer(status: number, { headers = {}, body }: Fault): Answer {
  if (typeof body === 'string') return { status, headers: { 'content-type': 'text/plain', ...headers }, body };
  if (body !== undefined) return json(status, body, headers);
  const base = defaultAnswer(status);
  return { ...base, headers: { ...base.headers, ...headers } };
}

function defaultAnswer(status: number): Answer {
  if (status === 402) return planRefusal('upload');
  if (status === 429) return rateRefusal('this bucket', '1');
  return json(status, { detail: `A fault of the scenario: ${status}.` });
}

/** Sends the true answer, damaged by the fault. */
export async function sendDamaged(response: ServerResponse, answer: Answer, fault: Fault): Promise<void> {
  const bytes = Buffer.from(answer.body);
  const begin = (length: number): void => {
    response.writeHead(answer.status, { ...answer.headers, 'content-length': length });
  };
  if (fault.malformedJson) {
    const half = bytes.subarray(0, Math.floor(bytes.length / 2));
    begin(half.length);
    response.end(half);
  } else if (fault.truncate !== undefined) {
    begin(bytes.length);
    // Ended only after the bytes are written: a reset would discard them.
    response.write(bytes.subarray(0, fault.truncate), () => response.socket?.end());
  } else if (fault.contentLength !== undefined) {
    begin(Math.max(0, bytes.length + fault.contentLength));
    // If the length is too large, the connection stays open, as if more were to follow.
    response.write(bytes);
    if (fault.contentLength <= 0) response.end();
  } else if (fault.huge !== undefined) {
    begin(Math.max(bytes.length, fault.huge));
    response.write(bytes);
    await writeBlanks(response, fault.huge - bytes.length);
    response.end();
  } else if (fault.drip !== undefined) {
    begin(bytes.length);
    await drip(response, bytes, fault.drip.bytes, fault.drip.everyMs);
    response.end();
  }
}

async function writeBlanks(response: ServerResponse, count: number): Promise<void> {
  const piece = Buffer.alloc(64 * 1024, ' ');
  for (let left = count; left > 0 && !response.destroyed; left -= piece.length) {
    await write(response, piece.subarray(0, left));
  }
}

async function drip(response: ServerResponse, bytes: Buffer, step: number, everyMs: number): Promise<void> {
  for (let at = 0; at < bytes.length && !response.destroyed; at += step) {
    await write(response, bytes.subarray(at, at + step));
    await pause(everyMs);
  }
}

/** Waits until the bytes are written, or the client has disconnected. */
async function write(response: ServerResponse, bytes: Buffer): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  response.write(bytes, () => resolve());
  return promise;
}

async function pause(ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, ms);
  return promise;
}
