import { describe, expect, it } from 'vitest';
import { proxySettings } from '../../src/http/proxies.ts';
import { GateError } from '../../src/lib/cause.ts';

const [A, B] = ['http://a.example:3128/', 'http://b.example:8080/'];

describe('proxySettings', () => {
  // biome-ignore format: a table
  it.each<[string, Record<string, string>, Partial<ReturnType<typeof proxySettings>>]>([
    ['nothing is set', {}, { proxy: '', except: '' }],
    ['plain http’s does not count', { HTTP_PROXY: A }, { proxy: '' }],
    ['lower case beats upper case', { https_proxy: A, HTTPS_PROXY: B }, { proxy: A }],
    ['an empty one does not count', { https_proxy: '', HTTPS_PROXY: B }, { proxy: B }],
    ['a blank one does not count', { HTTPS_PROXY: ' ' }, { proxy: '' }],
    ['no scheme is plain http', { HTTPS_PROXY: 'a.example:3128' }, { proxy: A }],
    ['blanks around it do not count', { HTTPS_PROXY: ' a.example:3128 ' }, { proxy: A }],
    ['credentials stay', { HTTPS_PROXY: 'robot:pw@a.example:3128' }, { proxy: 'http://robot:pw@a.example:3128/' }],
    ['a proxy that is reached by TLS', { HTTPS_PROXY: 'https://a.example' }, { proxy: 'https://a.example/' }],
    ['exceptions, lower case first', { no_proxy: '.corp', NO_PROXY: 'x' }, { except: '.corp' }],
    ['exceptions, upper case', { no_proxy: '', NO_PROXY: 'x,y' }, { except: 'x,y' }],
  ])('%s', (_, env, expected) => {
    expect(proxySettings(env)).toMatchObject(expected);
  });

  it.each([
    ['HTTPS_PROXY', 'socks5://a.example'],
    ['https_proxy', 'ftp://robot:pw@a.example'],
    ['HTTPS_PROXY', 'http://'],
  ])('%s of %s is refused by its name, without being shown', (name, value) => {
    const read = () => proxySettings({ [name]: value });
    expect(read).toThrow(GateError);
    expect(read).toThrow(name);
    expect(read).not.toThrow('a.example');
  });
});
