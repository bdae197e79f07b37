import { expect } from 'vitest';
import { it, list, text } from './caller.ts';

it('the control API needs a key, refuses what it cannot do, and does not count as the service', async ({
  emulator,
  submitted,
}) => {
  const issues = [{ ruleCode: 'A' }, { ruleCode: 'B' }];
  const { workspace, submissionId, read, assets } = await submitted({ default: { issues } });
  const found = async () => list((await read(`${assets[0]}/issues`))['issues']);
  const control = async (method: string, path: string, body?: unknown, key = workspace.key): Promise<number> => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    return (await fetch(`${emulator.baseUrl}/emulator/${path}`, init)).status;
  };
  const [, second] = await found();
  const before = workspace.requests.length;
  expect(await control('PUT', 'scenario', {}, 'x')).toBe(401);
  expect(await control('GET', 'scenario')).toBe(404);
  expect(await control('PUT', 'scenario', { defaults: {} })).toBe(422);
  expect(await control('PATCH', `issues/${text(second?.['id'])}`, { status: 'RESOLVED' })).toBe(200);
  expect(await control('PATCH', 'issues/C', { status: 'DISMISSED' })).toBe(404);
  expect(await control('PATCH', 'issues/A', {})).toBe(422);
  expect(workspace.requests).toHaveLength(before);
  expect((await found()).map(({ status }) => status)).toEqual(['OPEN', 'RESOLVED']);
  expect(await control('DELETE', `submissions/${submissionId}`)).toBe(200);
  expect(await control('DELETE', `submissions/${submissionId}`)).toBe(404);
});
