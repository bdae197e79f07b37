import { expect } from 'vitest';
import { type Cause, GateError } from '../../src/causes/cause.ts';
import { ConnectionError } from '../../src/http/http.ts';
import { explain } from '../../src/service/advice.ts';
import { ServiceError } from '../../src/service/service-error.ts';
import { sendToStorage } from '../../src/service/storage.ts';
import { inFakeTime, it } from '../builders/fake-time.ts';
import { file } from '../builders/media.ts';
import { ACCESS, connectionTo, deadlineIn, response } from '../builders/service.ts';

const SIGNED = 'https://storage.example/x?sig=secret';

/** Uploads a file to a storage that always responds with this status, or fails with this error. */
async function put(
  ending: number | ConnectionError,
  { uploadUrl = SIGNED, baseUrl = 'https://service.example', retryAfter = '', code = 'TooBusy' } = {},
) {
  const { sent, lines, ...connected } = connectionTo(() => {
    if (ending instanceof ConnectionError) throw ending;
    const text = `<Error><Code>${code}</Code><Message>x?sig=secret</Message></Error>`;
    return { ...response(ending), text, retryAfter };
  });
  const upload = { file: file('a.png', 'A'), uploadUrl };
  const options = { ...connected, access: { ...ACCESS, baseUrl } };
  const { value: outcome } = await inFakeTime(
    async () =>
      await sendToStorage(upload, options, deadlineIn(10)).catch((error: unknown) => {
        if (error instanceof GateError) return error.causes[0];
        return error instanceof ServiceError ? explain(error, 'a.png') : error;
      }),
  );
  return { outcome, sent, lines };
}

it('a file is sent as a blob, without the key', async () => {
  const { outcome, sent } = await put(201);
  expect(outcome).toBeUndefined();
  expect(sent).toMatchObject([{ method: 'PUT', url: SIGNED }]);
  const headers = { 'content-length': '10', 'content-type': 'image/png', 'x-ms-blob-type': 'BlockBlob' };
  expect(sent[0]?.headers).toEqual(headers);
});

// biome-ignore format: a table
it.for<[string, number | ConnectionError, Partial<Cause>]>([
  ['a refusal', 400,
    { reason: 'refused', message: 'The storage storage.example responded with 400 while storing the file: TooBusy.' }],
  ['an outage', 500, { reason: 'service' }],
  ['no connection', new ConnectionError('refused', 'no connection'), { reason: 'service' }],
])('%s is reported without a secret', async ([, ending, expected]) => {
  const { outcome, lines } = await put(ending);
  expect(outcome).toMatchObject({ path: 'a.png', ...expected });
  expect(JSON.stringify([outcome, lines])).not.toContain('secret');
});

// biome-ignore format: a table
it.for<[number, string, string, tries: number]>([
  [409, 'BlobAlreadyExists',          'stored', 1],
  [412, 'ConditionNotMet',            'stored', 1],
  [412, 'PreconditionFailed',         'stored', 1],
  [403, 'BlobAlreadyExists',          'refused', 1],
  [412, 'TooBusy',                    'refused', 1],
])('a storage that responds with %i and %s: %s', async ([status, code, reason, tries]) => {
  const { outcome, sent } = await put(status, { code });
  expect(outcome).toEqual(reason === 'stored' ? undefined : expect.objectContaining({ reason }));
  expect(sent).toHaveLength(tries);
});

// biome-ignore format: a table
it.for<[string, string, boolean]>([
  ['https://storage.example/x', 'https://service.example', true],
  ['http://127.0.0.1:1/x',      'https://service.example', false],
  ['http://127.0.0.1:1/x',      'http://127.0.0.1:2',      true],
  ['http://storage.example/x',  'http://127.0.0.1:2',      false],
  ['file:///etc/passwd',        'http://127.0.0.1:2',      false],
])('%s may be used by %s: %s', async ([target, baseUrl, expected]) => {
  const { outcome, sent } = await put(201, { uploadUrl: target, baseUrl });
  expect(sent).toHaveLength(expected ? 1 : 0);
  if (!expected) expect(outcome).toMatchObject({ reason: 'refused', message: expect.stringContaining('not https') });
});
