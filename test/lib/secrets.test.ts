import { expect, it } from 'vitest';
import { createSecrets, secretsIn } from '../../src/lib/secrets.ts';

const SECRET = 'Token/of+the=run & <all> "x"';

// biome-ignore format: a table
it.each([
  ['as it is', SECRET],
  ['in another letter case', SECRET.toUpperCase()],
  ['encoded', encodeURIComponent(SECRET)],
  ['encoded in lower case', encodeURIComponent(SECRET).toLowerCase()],
  ['encoded twice', encodeURIComponent(encodeURIComponent(SECRET))],
  ['with the spaces of a form', encodeURIComponent(SECRET).replaceAll('%20', '+')],
  ['as JSON', JSON.stringify(SECRET).slice(1, -1)],
  ['as JSON in JSON', JSON.stringify(JSON.stringify(SECRET)).slice(3, -3)],
  ['as JSON with escaped slashes', JSON.stringify(SECRET).slice(1, -1).replaceAll('/', '\\/')],
  ['as JSON of a careful server', SECRET.replaceAll(/\W/g, (each) => String.raw`\u00` + each.charCodeAt(0).toString(16))],
  ['as HTML', SECRET.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')],
  ['with numbers for the characters', SECRET.replaceAll(/\W/g, (each) => `&#${each.charCodeAt(0)};`)],
  ['with hexadecimal numbers', SECRET.replaceAll(/\W/g, (each) => `&#x${each.charCodeAt(0).toString(16).toUpperCase()};`)],
])('a secret is hidden: %s', (_, written) => {
  const { add, clean } = createSecrets();
  add([SECRET]);
  expect(clean(`before ${written} after, and ${written}.`)).toBe('before *** after, and ***.');
  expect(clean(`${written.slice(1)} 100% \\ a+b`)).toBe(`${written.slice(1)} 100% \\ a+b`);
});

it('every secret is hidden, however many there are, and the longest one first', () => {
  const { add, clean } = createSecrets();
  const all = Array.from({ length: 100 }, (_, index) => `secret $& (${index}) *`);
  for (const secret of all) {
    add([secret]);
    expect(clean(secret)).toBe('***');
  }
  add(['key-of-us', 'key-of-us-all']);
  expect([...all, 'key-of-us-all', 'key-of-us'].map(clean)).toEqual(Array(102).fill('***'));
});

it.each([
  ['Azure', 'https://a.blob.example/x.mp4?sv=2024&sig=Qm9iJ3Mgc2VjcmV0IGtleQ%3D%3D&sp=r'],
  ['S3', 'https://s3.example/x.mp4?X-Amz-Expires=60&X-Amz-Signature=5ec3e75ec3e75ec3e7'],
  ['JSON', String.raw`{"url":"https:\/\/a.example\/x?sv=1\u0026sig=Qm9iJ3Mgc2VjcmV0IGtleQ"}`],
])('the signature of an address is hidden, even if this run was not given the address: %s', (_, text) => {
  const shown = createSecrets().clean(`Not found: ${text}`);
  expect(shown).toMatch(/^Not found: .*[sS]ig(nature)?=\*\*\*/);
  expect(shown).not.toMatch(/Qm9i|5ec3e7/);
});

it('a text that is too short to be a secret, and every other text, stays as it is', () => {
  const { add, clean } = createSecrets();
  const text = 'A run ends.';
  expect(clean(text)).toBe(text);
  add(['', 'run', 'a', 'a-secret']);
  expect(clean(text)).toBe(text);
});

it('a hostile text takes no long time', () => {
  const { add, clean } = createSecrets();
  add(['/a/long/secret/', '&another&secret']);
  const texts = ['\\', '%25', '&amp;', '%', '&#0', '/a'].map((part) => part.repeat(300_000));
  expect(texts.map(clean)).toEqual(texts);
});

const NAME = 'media-a-0123456789abcdef0123456789abcdef.png';
const TOKEN = 'Upload/Token+of==';
const ENCODED = encodeURIComponent(TOKEN);

// biome-ignore format: a table
it.each<[string, address: string, secrets: readonly string[]]>([
  ['in the query', `b/a.png?sv=2024-11-04&sig=${ENCODED}`, [ENCODED, TOKEN]],
  ['without a name', `b/a.png?${ENCODED}`, [ENCODED, TOKEN]],
  ['encoded twice', `b/a.png?sig=${encodeURIComponent(ENCODED)}`, [encodeURIComponent(ENCODED), ENCODED, TOKEN]],
  ['not encoded', `b/a.png?sig=${TOKEN}`, [TOKEN]],
  ['in the path', `${ENCODED}/a.png`, [ENCODED, TOKEN]],
  ['in a parameter of the path', 'b/a=0123456789abcdef;v=1/a.png', ['a=0123456789abcdef;v=1', '0123456789abcdef;v=1']],
  ['in the fragment', `b/a.png#token=${ENCODED}&v=1`, [`token=${ENCODED}`, `token=${TOKEN}`, ENCODED, TOKEN]],
  ['damaged', 'b/a.png?sig=0123456789abcdef%', ['0123456789abcdef%']],
  ['short values are none', 'b/a.png?sig=0123456789abcde#0123456789abcde', []],
  ['the name and the type are none', `b/${NAME}?name=${NAME}&type=application%2Fpdf%3B+x`, []],
])('the secrets of an upload address: %s', (_, address, secrets) => {
  expect(secretsIn(`https://storage.example/${address}`, [NAME, 'application/pdf;+x'])).toEqual(secrets);
});
