import type { IncomingMessage } from 'node:http';
import { Refusal, refusal } from './answer.ts';
import { type Digest, DigestSink } from './blob.ts';
import { boundaryOf, type FilePart, FormReader } from './multipart.ts';
import type { RecordedRequest } from './record.ts';

/** What an endpoint expects. `any` is read and ignored; `optional-json` may be empty. */
export type BodyKind = 'any' | 'json' | 'optional-json' | 'form' | 'bytes';

/** A body that was read to its end. */
export interface Body {
  readonly json?: unknown;
  readonly form?: FilePart;
  readonly bytes?: Digest;
  /** Why it is not what the endpoint expects; reported after the key was checked. */
  readonly problem?: Refusal;
}

const MAX_JSON_LENGTH = 8 * 1024 * 1024;

/** Reads every body to its end, so that a refusal reaches the client. Throws if the client disconnects. */
export async function readBody(request: IncomingMessage, kind: BodyKind, record: RecordedRequest): Promise<Body> {
  const reader = READERS[kind](request.headers['content-type']);
  let problem: Refusal | undefined;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    record.bodySize += chunk.length;
    problem ??= caught(() => reader.write(chunk));
  }
  if (problem !== undefined) return { problem };
  let body: Body = {};
  problem = caught(() => {
    body = reader.end();
  });
  return problem === undefined ? body : { problem };
}

interface Reader {
  write(chunk: Buffer): void;
  end(): Body;
}

const READERS: Readonly<Record<BodyKind, (contentType: string | undefined) => Reader>> = {
  any: () => ({ write: () => undefined, end: () => ({}) }),
  json: jsonReader,
  'optional-json': (contentType) => {
    const reader = jsonReader(contentType);
    let isEmpty = true;
    return {
      write: (chunk) => {
        isEmpty = false;
        reader.write(chunk);
      },
      end: () => (isEmpty ? {} : reader.end()),
    };
  },
  bytes: () => {
    const sink = new DigestSink();
    return { write: (chunk) => sink.write(chunk), end: () => ({ bytes: sink.finish() }) };
  },
  form: (contentType) => {
    let form: FormReader | undefined;
    // Opened late, because a content type without a boundary is refused like any other malformed body.
    const open = (): FormReader => (form ??= new FormReader(boundaryOf(contentType)));
    return { write: (chunk) => open().write(chunk), end: () => ({ form: open().end() }) };
  },
};

function jsonReader(contentType: string | undefined): Reader {
  const chunks: Buffer[] = [];
  let size = 0;
  return {
    write: (chunk) => {
      size += chunk.length;
      if (size > MAX_JSON_LENGTH) throw refusal(422, 'The JSON body is too long.');
      chunks.push(chunk);
    },
    end: () => {
      if (!/^application\/json\s*(;|$)/i.test(contentType ?? '')) {
        throw refusal(422, 'The body must be JSON, with Content-Type application/json.');
      }
      try {
        return { json: JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown };
      } catch {
        throw refusal(422, 'The body is not valid JSON.');
      }
    },
  };
}

function caught(action: () => void): Refusal | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}
