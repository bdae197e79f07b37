import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../emulator/emulator.ts';
import { readyScenarios } from '../../emulator/scenario.ts';
import { ServiceRequester } from './caller.ts';

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(async () => emulator.close());

async function readPage(): Promise<string> {
  const response = await fetch(`${emulator.baseUrl}/`);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  return response.text();
}

describe('the page at /', () => {
  it('shows URLs, keys, scenarios, submissions, and requests', async () => {
    const workspace = emulator.workspace({ scenario: { maxRetries: 7 } });
    const sandbox = emulator.workspace({ mode: 'sandbox' });
    const { submissionId } = await new ServiceRequester(emulator, workspace).submit('hero.png');
    await new ServiceRequester(emulator, undefined).get('/submissions/nothing');
    const page = await readPage();
    for (const text of [emulator.baseUrl, emulator.storageUrl, workspace.key, sandbox.key, ...readyScenarios()])
      expect(page).toContain(`<code>${text}</code>`);
    expect(page).toContain('&#34;maxRetries&#34;: 7');
    expect(page).toContain(`<code>${submissionId}</code>`);
    expect(page).toMatch(/hero\.png<\/code><\/td><td>1<\/td><td>complete<\/td><td>0</);
    expect(page).toMatch(/POST \/api\/integrations\/uploads\/direct<\/code><\/td><td>201</);
    expect(page).toMatch(/GET \/api\/integrations\/submissions\/nothing<\/code><\/td><td>401</);
  });

  it('is not recorded as a request, and shows names as text', async () => {
    const workspace = emulator.workspace();
    await new ServiceRequester(emulator, workspace).submit('<img src=x onerror=alert(1)>.png');
    const before = emulator.unauthenticated.length;
    const page = await readPage();
    expect(page).not.toContain('<img');
    expect(page).toContain('&#60;img src=x onerror=alert(1)&#62;.png');
    expect(emulator.unauthenticated).toHaveLength(before);
  });
});
