import { expect } from 'vitest';
import { countVersions, withExtras } from '../../src/service/extras.ts';
import { inFakeTime, it } from '../builders/fake-time.ts';
import { deadlineIn, response, serviceOf } from '../builders/service.ts';
import { ISSUES, list, look } from './look.ts';

const NO_EXTRAS = { topics: [], versionCount: undefined };
const TOPICS = [{ title: 'Health', issueIds: ['x', 'y'] }];
/** Three versions belong to the version group `g`, which is that of asset a. */
const VERSIONS = ['g', 'g', 'other', 'g'].map((versionGroupId) => ({ versionGroupId }));

// biome-ignore format: a table
it.for<[string, number, object, [versions: number, topics: number], issues?: number, version?: number]>([
  ['are added', 200, { topics: TOPICS, versionCount: 3 }, [1, 1]],
  ['are left out if one cannot be read', 404, NO_EXTRAS, [1, 1]],
  ['are not worth an outage', 503, NO_EXTRAS, [6, 5]],
  ['are not asked for before the second issue and version', 200, NO_EXTRAS, [0, 0], 1, 1],
])('topics and versions %s', async ([, status, expected, counts, issueCount = 2, versionNumber = 2]) => {
  const listed = list({ issueCount, versionNumber, versionGroupId: 'g' });
  const extras = {
    'a/topics': response(status, { topics: [{ title: 'Health', issues: ['x', 'y'] }] }),
    versions: response(status, VERSIONS),
  };
  const service = serviceOf({ S: { listed, ...extras, 'a/issues': ISSUES.slice(0, issueCount) } });
  const { analyses } = await look(service);
  const calls = { ...service, deadline: deadlineIn(30) };
  const { value, ms } = await inFakeTime(async () => await withExtras('S', analyses, calls));
  expect(value).toMatchObject([{ outcome: 'result', versionNumber, ...expected }, NO_EXTRAS]);
  const paths = service.asked.map(({ path }) => path);
  expect(['/versions', '/topics'].map((end) => paths.filter((path) => path.endsWith(end)).length)).toEqual(counts);
  expect(ms).toBeLessThan(15_000);
});

const [OURS, OTHER] = [{ versionGroupId: 'ours' }, { versionGroupId: 'other' }];

it.for<[string, unknown, number | undefined]>([
  ['two of ours', [OURS, OTHER, OURS], 2],
  ['three of ours in an object', { versions: [OURS, OURS, OURS] }, 3],
  ['fewer than there must be', [OURS], undefined],
  ['others only', [OTHER, OTHER], undefined],
  ['none with a group', [{ versionNumber: 1 }, { versionNumber: 2 }], undefined],
  ['no list', { total: 3 }, undefined],
])('the versions of an asset whose second version this is: %s', ([, response, expected]) => {
  expect(countVersions(response, { versionGroupId: 'ours', versionNumber: 2 })).toBe(expected);
});
