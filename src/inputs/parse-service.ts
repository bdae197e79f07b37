import { isLoopback } from '../http/address.ts';
import type { Mode } from '../service/service-access.ts';
import { type InputReader, quoted } from './reader.ts';

const LIVE_KEY = /^sk_live_[0-9a-f]{64}$/i;
/** What follows the prefix is not shown in the contract; a header can carry it. */
const SANDBOX_KEY = /^sk_test_[\x21-\x7e]+$/;

/** The key alone selects live or sandbox behaviour. */
export function parseKey(reader: InputReader): Mode | undefined {
  const key = reader.text('api-key');
  if (key === '') return undefined;
  if (LIVE_KEY.test(key)) return 'live';
  if (SANDBOX_KEY.test(key)) return 'sandbox';
  const what = flawOf(key);
  reader.reject(
    'api-key',
    `${what} (${key.length} characters, not shown)`,
    '`sk_live_` and 64 hexadecimal characters, or a key that begins with `sk_test_`',
  );
  return undefined;
}

/** What is most likely wrong with it; the key itself is never told. */
function flawOf(key: string): string {
  if (/^(["'`]).*\1$/s.test(key)) return 'a text in quotation marks, which are no part of a key';
  return key.startsWith('sk_live_') ? 'a damaged live key' : 'not a key of the service';
}

/** @returns the address that every endpoint's path is appended to */
export function parseBaseUrl(reader: InputReader): string | undefined {
  const takes =
    "the address of the compliance service, such as `https://compliance.example.com` (plain http only on this machine's loopback)";
  const value = reader.text('base-url');
  if (value === '') {
    reader.reject('base-url', 'not set', takes);
    return undefined;
  }
  const url = URL.parse(value);
  const isAllowed = url && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname)));
  if (!isAllowed || url.username || url.password || url.search || url.hash) {
    reader.reject('base-url', quoted(withoutCredentials(value)), takes);
    return undefined;
  }
  const path = url.pathname.replace(/\/+$/, '');
  return url.origin + (/\/api\/(v\d+\/)?integrations$/.test(path) ? path : `${path}/api/integrations`);
}

function withoutCredentials(url: string): string {
  return url.replace(/\/\/[^/@]*@/, '//***@').replace(/\?.*/s, '?***');
}
