import { isLoopback } from '../http/http.ts';
import type { Mode } from '../service/endpoints.ts';
import { type InputReader, quoted } from './reader.ts';

const LIVE_KEY = /^sk_live_[0-9a-f]{64}$/i;
/** The contract does not show what follows the prefix: any characters that a header can carry. */
const SANDBOX_KEY = /^sk_test_[\x21-\x7e]+$/;

/** The key alone selects live or sandbox behaviour. */
export function parseKey(reader: InputReader): Mode | undefined {
  const key = reader.text('api-key');
  if (key === '') return undefined;
  if (LIVE_KEY.test(key)) return 'live';
  if (SANDBOX_KEY.test(key)) return 'sandbox';
  const what = describeKeyProblem(key);
  reader.reject(
    'api-key',
    `${what} (${key.length} characters, not shown)`,
    '`sk_live_` and 64 hexadecimal characters, or a key that begins with `sk_test_`',
  );
  return undefined;
}

/** The most likely mistake. The key itself is never shown. */
function describeKeyProblem(key: string): string {
  if (/^(["'`]).*\1$/s.test(key)) return 'in quotation marks, which are not part of a key';
  return key.startsWith('sk_live_') ? 'a damaged live key' : 'not a key of the service';
}

/** @returns the address that the path of every endpoint is appended to */
export function parseBaseUrl(reader: InputReader): string | undefined {
  const value = reader.text('base-url');
  const problem = baseUrlProblem(value);
  if (problem !== undefined) {
    reader.problems.push({
      reason: 'bad-input',
      message: `Input \`base-url\` ${problem}.`,
      fix: "Set `base-url` to the service's address, such as `https://compliance.example.com`.",
    });
    return undefined;
  }
  const { origin, pathname } = new URL(value);
  const path = pathname.replace(/\/+$/, '');
  return origin + (/\/api\/(v\d+\/)?integrations$/.test(path) ? path : `${path}/api/integrations`);
}

function baseUrlProblem(value: string): string | undefined {
  if (value === '') return 'is not set';
  const url = URL.parse(value);
  // An address that does not parse may still hold a password.
  if (value.includes('@')) return 'must not contain a user name or password (its value is not shown)';
  const isAllowed = url && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname)));
  if (!isAllowed) return `must begin with https:// (it is ${quoted(value.replace(/\?.*/s, '?…'))})`;
  return url.search || url.hash ? 'must not contain a query or a fragment (its value is not shown)' : undefined;
}
