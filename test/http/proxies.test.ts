import { expect, it } from 'vitest';
import { proxiesIn } from '../../src/http/create-http.ts';
import { GateError } from '../../src/lib/cause.ts';

const [A, B] = ['http://a.example:3128/', 'http://b.example:8080/'];

// biome-ignore format: a table
it.each<[string, Record<string, string>, Partial<ReturnType<typeof proxiesIn>>]>([
  ['nothing is set', {}, { httpsProxy: '', noProxy: '' }],
  ['HTTP_PROXY does not count', { HTTP_PROXY: A }, { httpsProxy: '' }],
  ['lower case beats upper case', { https_proxy: A, HTTPS_PROXY: B }, { httpsProxy: A }],
  ['an empty one does not count', { https_proxy: '', HTTPS_PROXY: B }, { httpsProxy: B }],
  ['a blank one does not count', { HTTPS_PROXY: ' ' }, { httpsProxy: '' }],
  ['no scheme is plain http', { HTTPS_PROXY: 'a.example:3128' }, { httpsProxy: A }],
  ['blanks around it do not count', { HTTPS_PROXY: ' a.example:3128 ' }, { httpsProxy: A }],
  ['credentials stay', { HTTPS_PROXY: 'robot:pw@a.example:3128' }, { httpsProxy: 'http://robot:pw@a.example:3128/' }],
  ['a proxy that is reached by TLS', { HTTPS_PROXY: 'https://a.example' }, { httpsProxy: 'https://a.example/' }],
  ['exceptions, lower case first', { no_proxy: '.corp', NO_PROXY: 'x' }, { noProxy: '.corp' }],
  ['exceptions, upper case', { no_proxy: '', NO_PROXY: 'x,y' }, { noProxy: 'x,y' }],
])('variables for proxies: %s', (_, env, expected) => {
  expect(proxiesIn(env)).toMatchObject(expected);
});

it.each([
  ['HTTPS_PROXY', 'socks5://a.example'],
  ['https_proxy', 'ftp://robot:pw@a.example'],
  ['HTTPS_PROXY', 'http://'],
])('%s of %s is refused by its name, without being shown', (name, value) => {
  const read = () => proxiesIn({ [name]: value });
  expect(read).toThrow(GateError);
  expect(read).toThrow(name);
  expect(read).not.toThrow('a.example');
});
