import { describe, expect } from 'vitest';
import { expectReused, it } from './states.ts';

describe.concurrent('another key', () => {
  it('that is added as `state-key` opens what the API key has signed', async ({ startRepository, workspaces }) => {
    const world = await startRepository();
    const push = { branch: 'main', workspace: workspaces.one };
    const first = await world.push({ ...push, inputs: { 'state-key': '' } });
    expect(first.sent, first.log).toEqual(['a.png']);
    expectReused(await world.push(push));
  });
});
