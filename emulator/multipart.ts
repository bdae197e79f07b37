import { type Refusal, refusal } from './answer.ts';
import { type Digest, DigestSink } from './blob.ts';

export interface FilePart {
  readonly filename: string;
  /** As declared; empty if the part declares none. */
  readonly contentType: string;
  readonly digest: Digest;
}

const MAX_HEADER_LENGTH = 16 * 1024;
const CRLF = '\r\n';

/** The boundary of a `multipart/form-data` content type. */
export function boundaryOf(contentType: string | undefined): string {
  const match = /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(
    contentType ?? '',
  );
  const boundary = match?.[1] ?? match?.[2];
  if (boundary === undefined) throw refusal(422, 'The body must be multipart/form-data with a boundary.');
  return boundary;
}

/**
 * Reads a form of exactly one part, named `file`, without keeping its bytes.
 * Strict on purpose: what a lenient parser forgives here would fail at the real service.
 */
export class FormReader {
  readonly #opening: Buffer;
  readonly #delimiter: Buffer;
  readonly #sink = new DigestSink();
  #state: 'opening' | 'headers' | 'content' | 'closing' | 'done' = 'opening';
  #rest: Buffer = Buffer.alloc(0);
  #part: { filename: string; contentType: string } | undefined;

  constructor(boundary: string) {
    this.#opening = Buffer.from(`--${boundary}${CRLF}`);
    this.#delimiter = Buffer.from(`${CRLF}--${boundary}`);
  }

  write(chunk: Uint8Array): void {
    this.#rest = this.#rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.#rest, chunk]);
    let before: string;
    do {
      before = this.#state;
      this.#step();
    } while (this.#state !== before);
  }

  end(): FilePart {
    const closed = this.#state === 'done' && (this.#rest.length === 0 || this.#rest.equals(Buffer.from(CRLF)));
    if (!closed || this.#part === undefined) throw malformed('it does not end with its closing boundary');
    return { ...this.#part, digest: this.#sink.finish() };
  }

  #step(): void {
    switch (this.#state) {
      case 'opening': {
        if (this.#rest.length < this.#opening.length) return;
        if (!this.#rest.subarray(0, this.#opening.length).equals(this.#opening)) {
          throw malformed('it does not start with its boundary');
        }
        this.#advance(this.#opening.length, 'headers');
        return;
      }
      case 'headers': {
        const end = this.#rest.indexOf(CRLF + CRLF);
        if (end > MAX_HEADER_LENGTH || (end === -1 && this.#rest.length > MAX_HEADER_LENGTH)) {
          throw malformed('the headers of its part are too long');
        }
        if (end === -1) return;
        this.#part = partOf(this.#rest.subarray(0, end).toString('utf8'));
        this.#advance(end + 4, 'content');
        return;
      }
      case 'content': {
        const end = this.#rest.indexOf(this.#delimiter);
        // A delimiter may be cut in two by the network: that much of the end stays back.
        const sure = end === -1 ? Math.max(0, this.#rest.length - this.#delimiter.length + 1) : end;
        this.#sink.write(this.#rest.subarray(0, sure));
        if (end === -1) this.#rest = this.#rest.subarray(sure);
        else this.#advance(end + this.#delimiter.length, 'closing');
        return;
      }
      case 'closing': {
        if (this.#rest.length < 2) return;
        if (this.#rest.subarray(0, 2).toString('latin1') !== '--') {
          throw malformed('it must hold exactly one part, named file');
        }
        this.#advance(2, 'done');
        return;
      }
      case 'done': {
        if (this.#rest.length > 2) throw malformed('something follows its closing boundary');
      }
    }
  }

  #advance(bytes: number, state: 'headers' | 'content' | 'closing' | 'done'): void {
    this.#rest = this.#rest.subarray(bytes);
    this.#state = state;
  }
}

function partOf(text: string): { filename: string; contentType: string } {
  const headers = new Map<string, string>();
  for (const line of text.split(CRLF)) {
    const colon = line.indexOf(':');
    if (colon < 1) throw malformed('a header of its part has no name');
    headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  const parameters = parametersOf(headers.get('content-disposition') ?? '');
  if (parameters.get('name') !== 'file') throw malformed('it must hold exactly one part, named file');
  const filename = parameters.get('filename');
  if (filename === undefined) throw malformed('its part has no filename');
  return { filename, contentType: headers.get('content-type') ?? '' };
}

/** Read one after the other, so that a filename holding `; name=` cannot pass for a parameter. */
function parametersOf(disposition: string): Map<string, string> {
  const parameters = new Map<string, string>();
  const pattern = /\s*;\s*([\w*-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/y;
  pattern.lastIndex = 'form-data'.length;
  while (pattern.lastIndex < disposition.length) {
    const match = pattern.exec(disposition);
    if (match === null || !disposition.startsWith('form-data')) throw malformed('its part has no readable disposition');
    parameters.set(match[1]?.toLowerCase() ?? '', match[2]?.replaceAll('\\"', '"') ?? match[3] ?? '');
  }
  return parameters;
}

function malformed(why: string): Refusal {
  return refusal(422, `The multipart body is malformed: ${why}.`);
}
