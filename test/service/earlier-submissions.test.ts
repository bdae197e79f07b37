import { expect } from 'vitest';
import { readSubmissions } from '../../src/service/earlier-submissions.ts';
import { ServiceError } from '../../src/service/service-error.ts';
import { listedAsset } from '../builders/analyses.ts';
import { clientOf, deadlineIn, inFakeTime, it, response } from './fake-service.ts';

it('reads each submission once: found with its assets, missing, or refused', async () => {
  const statuses = new Map([
    ['deleted', 410],
    ['unknown', 404],
    ['refused', 403],
  ]);
  const { client, requests } = clientOf((request) => {
    const submissionId = request.slice('GET /submissions/'.length);
    const assets = [listedAsset('a'), listedAsset('b')];
    return response(statuses.get(submissionId) ?? 200, { submissionId, status: 'complete', assets });
  });
  const ids = ['there', ...statuses.keys()];
  const { value } = await inFakeTime(async () => await readSubmissions(ids, { client, deadline: deadlineIn(5) }));
  expect([...value.keys()]).toEqual(ids);
  expect(value.get('there')).toMatchObject({ response: { status: 'complete' } });
  expect(value.get('there')).toHaveProperty('assets.size', 2);
  expect([value.get('deleted'), value.get('unknown')]).toEqual(['missing', 'missing']);
  expect(value.get('refused')).toBeInstanceOf(ServiceError);
  expect(requests).toHaveLength(4);
});

it('once the service is given up, no other submission is requested', async () => {
  const ids = Array.from({ length: 20 }, (_, index) => `${index}`);
  const { client, requests } = clientOf(() => response(503));
  const { value } = await inFakeTime(async () => await readSubmissions(ids, { client, deadline: deadlineIn(5) }));
  expect([...value.values()].every((each) => each instanceof ServiceError)).toBe(true);
  expect(new Set(requests).size).toBe(8);
});
