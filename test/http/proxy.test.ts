import { expect, it } from 'vitest';
import { unifyProxies } from '../../src/http/proxy.ts';

const [A, B] = ['http://a.example:3128/', 'http://b.example:8080/'];
const NO_EXCEPTION = { NO_PROXY: '' };

// biome-ignore format: a table
it.each<[string, Record<string, string>, Record<string, string>]>([
  ['nothing is set', { OTHER: 'x' }, { OTHER: 'x' }],
  ['HTTP_PROXY does not count', { HTTP_PROXY: A, http_proxy: A, ALL_PROXY: A, all_proxy: A }, {}],
  ['lower case beats upper case', { https_proxy: A, HTTPS_PROXY: B }, { HTTPS_PROXY: A, ...NO_EXCEPTION }],
  ['a blank one does not count', { https_proxy: ' ', HTTPS_PROXY: B }, { HTTPS_PROXY: B, ...NO_EXCEPTION }],
  ['no scheme is plain http', { HTTPS_PROXY: ' a.example:3128 ' }, { HTTPS_PROXY: A, ...NO_EXCEPTION }],
  ['credentials stay', { HTTPS_PROXY: 'robot:pw@a.example:3128' },
    { HTTPS_PROXY: 'http://robot:pw@a.example:3128/', ...NO_EXCEPTION }],
  ['a proxy that is reached by TLS', { HTTPS_PROXY: 'https://a.example' },
    { HTTPS_PROXY: 'https://a.example/', ...NO_EXCEPTION }],
  ['exceptions in every form', { HTTPS_PROXY: A, no_proxy: 'x,.Y  *.z,w:8443', NO_PROXY: 'v' },
    { HTTPS_PROXY: A, NO_PROXY: 'x,.x,y,.y,z,.z,w:8443,.w' }],
  ['an exception for every host', { HTTPS_PROXY: A, NO_PROXY: 'x, *' }, {}],
])('proxy variables: %s', (_, env, expected) => {
  expect(unifyProxies(env)).toEqual([]);
  expect(env).toEqual(expected);
});

it.each([
  ['HTTPS_PROXY', 'socks5://a.example'],
  ['https_proxy', 'ftp://robot:pw@a.example'],
  ['HTTPS_PROXY', 'http://'],
])('%s of %s is refused, without being shown', (name, value) => {
  const env = { [name]: value };
  const [problem] = unifyProxies(env);
  expect(problem).toMatchObject({ reason: 'bad-input', message: expect.stringContaining('`HTTPS_PROXY`') });
  expect(JSON.stringify(problem)).not.toContain('a.example');
  expect(env).toEqual({});
});
