import { expect, it } from 'vitest';
import { type AssetReading, withEntry } from '../../src/service/asset.ts';
import type { ListedAsset } from '../../src/service/responses.ts';
import { findAssets } from '../../src/service/submission.ts';
import { listedAsset } from '../builders/analyses.ts';
import { content } from '../builders/media.ts';
import { analysed } from '../builders/states.ts';

const [D1, D2, D3] = ['1', '2', '3'].map((digit) => `${digit}0a`.repeat(10).padEnd(32, 'f'));
const A = { ...content('a'), name: `m-a-${D1}.png` };
const B = { ...content('b'), name: `m-b-${D2}.png` };

function asset(id: string, filename: string | undefined, listed: Partial<ListedAsset> = {}): AssetReading {
  return { ...withEntry(undefined, listedAsset(id, listed), false), filename };
}

function idsOf(readings: readonly AssetReading[]): string {
  return readings.map(({ listed }) => listed.assetId).join();
}

const V2 = { versionNumber: 2 };
const COUNTED = { issueCount: 1 };

// biome-ignore format: a table
it.each<[string, readonly AssetReading[], string]>([
  ['the sent names', [asset('1', A.name), asset('2', B.name)], 'a: 1; b: 2; unnamed: ; foreign: '],
  ['another case', [asset('1', A.name.toUpperCase()), asset('2', B.name)], 'a: 1; b: 2; unnamed: ; foreign: '],
  ['no separator, after a stem of hex letters', [asset('1', `decade${D1}png`)], 'a: 1; b: ; unnamed: ; foreign: '],
  ['a folder before the name', [asset('1', `x/y/${A.name}`)], 'a: 1; b: ; unnamed: ; foreign: '],
  ['two assets of one version', [asset('1', A.name), asset('2', `${D1}_poster.jpg`)],
    'a: 1,2; b: ; unnamed: ; foreign: '],
  ['a newer version', [asset('1', A.name), asset('2', A.name, V2)], 'a: 2; b: ; unnamed: ; foreign: '],
  ['another file of this gate with issues', [asset('1', A.name), asset('2', `old-${D3}.png`, COUNTED)],
    'a: 1; b: ; unnamed: ; foreign: '],
  ['an asset of no file, without issues', [asset('1', 'x.png')], 'a: ; b: ; unnamed: ; foreign: '],
  ['an asset of no file, with issues', [asset('1', A.name), asset('2', 'x.png', COUNTED)],
    'a: 1; b: ; unnamed: ; foreign: 2'],
  ['no name yet', [asset('1', undefined, COUNTED)], 'a: ; b: ; unnamed: 1; foreign: '],
  ['an asset that an earlier run has read', [asset('known', 'x.png', COUNTED)], 'a: ; b: ; unnamed: ; foreign: '],
])('the assets of the files: %s', (_, readings, expected) => {
  const assets = new Map(readings.map((each) => [each.listed.assetId, each]));
  const files = [A, B].map((each) => ({ content: each }));
  const { unnamed, foreign, ofFile } = findAssets({ assets }, { files, knownAssets: new Set(['known']) });
  const found = { a: ofFile({ content: A }), b: ofFile({ content: B }), unnamed, foreign };
  expect(Object.entries(found).map(([name, ids]) => `${name}: ${idsOf(ids)}`).join('; ')).toBe(expected);
});

it('a file whose result an earlier run has read is found by the id of its asset, in any case', () => {
  const id = '0000000a-000b-000c-000d-00000000000e';
  const earlier = analysed('A', { assetId: id.toUpperCase() });
  const file = { content: A, earlier };
  const assets = new Map([[id, asset(id, undefined)]]);
  expect(idsOf(findAssets({ assets }, { files: [file], knownAssets: new Set([id]) }).ofFile(file))).toBe(id);
});
