import { describe, expect, it } from 'vitest';
import { ConnectionError } from '../../src/http/http.ts';
import type { Cause } from '../../src/lib/cause.ts';
import { explain } from '../../src/service/advice.ts';
import { type Failure, type Operation, ServiceError } from '../../src/service/service-error.ts';
import { refusal } from './things.ts';

const BASE = 'https://service.example/api/integrations';

function causeOf(failure: Failure, operation: Operation = 'reading the submission', baseUrl = BASE): Cause {
  return explain(new ServiceError(operation, failure, baseUrl));
}

const MOVED: Failure = {
  kind: 'status',
  status: 300,
  message: '',
  location: 'https://new.example/a?b',
  retryAfter: undefined,
};
const lost = new ConnectionError('connection reset', { maybeReceived: true });
const untrusted = new ConnectionError('the TLS connection failed', { maybeReceived: false, fix: 'Trust it.' });

describe('what a failure is, and what to do', () => {
  // biome-ignore format: a table
  it.each<[string, Failure, Cause['reason'], string]>([
    ['no connection',           { kind: 'connection', error: lost },                       'service',   'proxy, firewall'],
    ['a known cause of that',   { kind: 'connection', error: untrusted },                  'service',   'Trust it.'],
    ['JSON of another shape',   { kind: 'unreadable', message: '', isJson: true },         'results',   "does not follow the service's contract"],
    ['no JSON',                 { kind: 'unreadable', message: '', isJson: false },        'results',   'a login page'],
    ['300',                     MOVED,  'bad-input', 'redirects to https://new.example. A'],
    ['399',                     refusal(399),                                              'bad-input', 'The service redirects. A'],
    ['400',                     refusal(400),                                              'refused',   'does not understand the request'],
    ['401',                     refusal(401),                                              'auth',      '`api-key`'],
    ['402',                     refusal(402, 'Upgrade'),                                   'plan',      'then re-run the job'],
    ['403',                     refusal(403),                                              'refused',   'This API key may not do this'],
    ['404',                     refusal(404),                                              'results',   'not in the workspace of this API key'],
    ['407',                     refusal(407),                                              'bad-input', 'HTTPS_PROXY'],
    ['408',                     refusal(408),                                              'service',   'available again'],
    ['413',                     refusal(413),                                              'refused',   'Make it smaller'],
    ['415',                     refusal(415),                                              'refused',   'Convert the file'],
    ['418',                     refusal(418),                                              'refused',   'not part of the service'],
    ['422',                     refusal(422),                                              'refused',   'does not accept the request'],
    ['429, for two minutes',    refusal(429, '', '120'),                                   'service',   'asks to wait 2 minutes'],
    ['429, for just below',     refusal(429, '', '119'),                                   'service',   'asks to wait 119 seconds'],
    ['429, for just above',     refusal(429, '', '121'),                                   'service',   'asks to wait 3 minutes'],
    ['500',                     refusal(500),                                              'service',   'available again'],
  ])('%s', (_, failure, reason, fix) => {
    const cause = causeOf(failure);
    expect(cause.reason).toBe(reason);
    expect(cause.fix).toContain(fix);
  });
});

describe('the same status, for another request', () => {
  // biome-ignore format: a table
  it.each<[number, Operation, Cause['reason'], string]>([
    [400, 'creating the submission',      'bad-input', '`simulation-delay-seconds` only with a sandbox key'],
    [403, 'firing the sandbox event',     'refused',   'Only a sandbox key may fire events'],
    [403, 'creating the submission',      'refused',   'the path of an uploaded file'],
    [403, 'uploading',                    'refused',   'the name of this file'],
    [403, 'asking for an upload address', 'refused',   'the name of this file'],
    [404, 'creating the submission',      'refused',   'something that the submission refers to'],
    [404, 'reading the issues',           'results',   'does not find its issues'],
    [404, 'reading the topics',           'results',   'does not find its issues'],
    [422, 'creating the submission',      'refused',   '`sidekick-ids`, `metadata` or the number of assets'],
    [422, 'uploading',                    'refused',   'the name or the type of this file'],
    [422, 'asking for an upload address', 'refused',   'the name or the type of this file'],
  ])('%i while %s', (status, operation, reason, fix) => {
    const cause = causeOf(refusal(status), operation);
    expect(cause.reason).toBe(reason);
    expect(cause.fix).toContain(fix);
  });

  it.each([
    [BASE, 'https://service.example answered 404'],
    ['', 'The address in `base-url` answered 404'],
  ])('404 to an upload names the address %j', (baseUrl, message) => {
    expect(causeOf(refusal(404), 'uploading', baseUrl).message).toContain(message);
  });
});
