import { expect, it } from 'vitest';
import { type AssetReading, unreadAsset } from '../../src/service/read-asset.ts';
import type { ListedAsset } from '../../src/service/responses.ts';
import { statusOf } from '../../src/service/responses.ts';
import { assetsOfFiles, assetsToRetry } from '../../src/service/submission-reading.ts';
import { listedAsset, possibleStatus } from '../builders/analyses.ts';
import { content } from '../builders/media.ts';

const [D1, D2, D3] = ['1', '2', '3'].map((digit) => `${digit}0a`.repeat(10).padEnd(32, 'f'));
const A = { ...content('a'), name: `m-a-${D1}.png` };
const B = { ...content('b'), name: `m-b-${D2}.png` };
const DELETED = `deleted-${D3}.png`;

function asset(id: string, filename: string | undefined, listed: Partial<ListedAsset> = {}): AssetReading {
  const own = filename === undefined ? undefined : { filename, status: statusOf('complete') };
  return { ...unreadAsset('S', listedAsset(id, listed)), own };
}

function idsOf(readings: readonly AssetReading[]): string {
  return readings.map(({ listed }) => listed.assetId).join();
}

const GROUP = '0000000a-000b-000c-000d-00000000000e';
const V1 = { versionGroupId: GROUP, versionNumber: 1 };
const V2 = { versionGroupId: GROUP.toUpperCase(), versionNumber: 2 };
const FAILED = { ...V1, errorMessage: 'It broke.' };

// biome-ignore format: a table
it.each<[string, readonly AssetReading[], string]>([
  ['the sent names', [asset('1', A.name), asset('2', B.name)], 'a: 1; b: 2; unnamed: ; strays: '],
  ['other case', [asset('1', A.name.toUpperCase()), asset('2', B.name)], 'a: 1; b: 2; unnamed: ; strays: '],
  ['no separator, after a stem of hex letters', [asset('1', `decade${D1}png`)], 'a: 1; b: ; unnamed: ; strays: '],
  ['a folder before the name', [asset('1', `x/y/${A.name}`)], 'a: 1; b: ; unnamed: ; strays: '],
  ['a derived asset beside the file', [asset('1', A.name), asset('2', `m-a-${D1}_poster.jpg`)],
    'a: 1; b: ; unnamed: ; strays: 2'],
  ['two assets with the digits, none with the name', [asset('1', `${D1}.PNG`), asset('2', `${D1}_poster.jpg`)],
    'a: 1,2; b: ; unnamed: ; strays: '],
  ['a file that was deleted since', [asset('1', A.name), asset('2', DELETED)], 'a: 1; b: ; unnamed: ; strays: '],
  ['a derived asset of a file that was deleted since', [asset('1', DELETED), asset('2', `${D3}_poster.jpg`)],
    'a: ; b: ; unnamed: ; strays: 2'],
  ['another name, and none', [asset('1', 'x.png'), asset('2', undefined)], 'a: ; b: ; unnamed: 2; strays: 1'],
  ['a newer version', [asset('1', A.name, V1), asset('2', A.name, V2)], 'a: 2; b: ; unnamed: ; strays: '],
  ['two assets of one version', [asset('1', A.name, V1), asset('2', A.name, V1)], 'a: 1,2; b: ; unnamed: ; strays: '],
  ['two assets without a group', [asset('1', A.name, { versionNumber: 1 }), asset('2', A.name, { versionNumber: 2 })],
    'a: 1,2; b: ; unnamed: ; strays: '],
  ['two files in one group', [asset('1', A.name, V1), asset('2', B.name, V2)], 'a: 1; b: 2; unnamed: ; strays: '],
  ['a newer version, and the failed one has no name', [asset('1', undefined, FAILED), asset('2', A.name, V2)],
    'a: 2; b: ; unnamed: ; strays: '],
  ['a newer version, and one without a name or an error', [asset('1', undefined, V1), asset('2', A.name, V2)],
    'a: 2; b: ; unnamed: 1; strays: '],
  ['two files in one group, and a failed one without a name',
    [asset('1', undefined, FAILED), asset('2', A.name, V2), asset('3', B.name, V2)],
    'a: 2; b: 3; unnamed: 1; strays: '],
])('the assets of the files: %s', (_, readings, expected) => {
  const otherFiles = { names: [DELETED], assetKeys: new Set<string>(), pending: [] };
  const assets = new Map(readings.map((each) => [each.listed.assetId, each]));
  const { of, unnamed, strays } = assetsOfFiles({ contents: [A, B], otherFiles, assets });
  const found = Object.entries({ a: of(A), b: of(B), unnamed, strays });
  expect(found.map(([name, assets]) => `${name}: ${idsOf(assets)}`).join('; ')).toBe(expected);
});

it.each([
  ['complete', '1'],
  ['failed', '1'],
  ['processing', ''],
  ['paused', ''],
  ['cancelled', ''],
  ['revoked', ''],
])('of a submission with the status %s, the assets to retry are "%s"', (word, expected) => {
  const assets = new Map([['1', asset('1', undefined, { isRetryable: true })]]);
  const response = { submissionId: 'S', status: possibleStatus(word), assets: [] };
  expect(idsOf(assetsToRetry({ submissionId: 'S', contents: [A], response, assets }))).toBe(expected);
});
