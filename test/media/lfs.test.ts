import path from 'node:path';
import { expect } from 'vitest';
import { inspect } from '../../src/media/inspect.ts';
import { pointerProblem } from '../../src/media/sniff.ts';
import { it } from '../harness/fixtures.ts';

const OID = '4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393';
const VERSION = 'version https://git-lfs.github.com/spec/v1';

it.for<[string, string, sha256?: string]>([
  ['plain', `${VERSION}\noid sha256:${OID}\nsize 12345\n`, OID],
  ['with CRLF', `${VERSION}\r\noid sha256:${OID}\r\nsize 12345`, OID],
  ['to bytes that an extension has changed', `${VERSION}\next-0-b sha256:${OID}\noid sha256:${OID}\nsize 12345\n`, ''],
  // The hash of these is not that of the content.
  ['with anything behind it', `${VERSION}\noid sha256:${OID}\nsize 12345\n%PDF-1.4\n`, ''],
  ['with anything between', `${VERSION}\noid sha256:${OID}\n%PDF-1.4\nsize 12345\n`, ''],
  ['without a size', `${VERSION}\noid sha256:${OID}\n`, ''],
  ['of git-annex', '/annex/objects/SHA256E-s31390--f50d7ac4.mp4\n', ''],
  ['of an unknown specification', `version https://example.com/spec/v1\noid sha256:${OID}\nsize 12345\n`],
])('a pointer %s', async ([, text, sha256], { makeFolder }) => {
  const absolutePath = path.join(await makeFolder({ 'a.mp4': text }), 'a.mp4');
  const { pointers } = await inspect([{ path: 'a.mp4', absolutePath }]);
  const size = sha256 === OID ? 12_345 : 0;
  expect(pointers).toEqual(sha256 === undefined ? [] : [{ path: 'a.mp4', sha256, size }]);
});

it.for([
  ['media.yml', '`actions/checkout` step of `media.yml`, commit'],
  ['', '`actions/checkout` step, commit'],
] as const)('the owner of the workflow "%s" can fix it', ([workflow, text]) => {
  const steps = [{ actor: 'workflow owner', text: expect.stringContaining(text) }];
  expect(pointerProblem({ path: 'a.mp4', sha256: OID, size: 1 }, workflow)).toMatchObject({ path: 'a.mp4', steps });
});
