import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { readAction } from '../../scripts/action-yml.ts';
import { parseTrial } from '../../scripts/try/options.ts';

const action = readAction(await readFile(new URL('../../action.yml', import.meta.url), 'utf8'));

it.for<[string, readonly string[], object]>([
  ['a switch before the folder', ['--dry-run', 'a'], { folder: 'a', inputs: { 'dry-run': 'true' } }],
  ['a switch turned off', ['a', '--scenario=x', '--dry-run', 'false'], { inputs: { 'dry-run': 'false' } }],
  ['two lines', ['a', '--dry-run', '--files', '*.png', '--files=!old'], { inputs: { files: '*.png\n!old' } }],
  ['a folder alone is a dry run', ['a'], { folder: 'a', inputs: { 'dry-run': 'true' } }],
  ['a real service', ['a', '--base-url', 'https://x', '--api-key', 'k'], { inputs: { 'base-url': 'https://x' } }],
])('the flags of npm run try: %s', ([, args, expected]) => {
  expect(parseTrial(args, action)).toMatchObject(expected);
});

it.for<[string, readonly string[], RegExp]>([
  ['an unknown flag', ['a', '--port', '--dry-run'], /^There is no flag --port\. For a list: .* --help$/],
  ['an input that GitHub fills in', ['a', '--matrix', '{}'], /no flag --matrix/],
  ['no folder', ['--dry-run'], /Name one folder.* Got none\.$/],
  ['a service without a key', ['a', '--base-url', 'https://x.example'], /needs both: --base-url URL and --api-key KEY/],
])('flags are refused: %s', ([, args, message]) => {
  expect(() => parseTrial(args, action)).toThrow(message);
});
