import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as core from '@actions/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { printCommand, saveState } from '../../src/github/commands.ts';

const NASTY = '50 % off: a, b\r\nand::error::more';

/** What is printed while `work` runs. */
function printed(work: () => void): string {
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
  try {
    work();
    return spy.mock.calls.map(([text]) => String(text)).join('');
  } finally {
    spy.mockRestore();
  }
}

describe('commands are those of @actions/core', () => {
  it.each<[string, () => void, () => void]>([
    ['add-mask', () => core.setSecret(NASTY), () => printCommand('add-mask', NASTY)],
    ['group', () => core.startGroup(NASTY), () => printCommand('group', NASTY)],
    ['endgroup', () => core.endGroup(), () => printCommand('endgroup', '')],
    ['notice', () => core.notice(NASTY), () => printCommand('notice', NASTY)],
    ['warning', () => core.warning(NASTY), () => printCommand('warning', NASTY)],
  ])('%s', (_, theirs, ours) => {
    expect(printed(ours)).toBe(printed(theirs));
  });
});

describe('values', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'commands-'));
    vi.stubEnv('GITHUB_STATE', path.join(folder, 'output'));
    await writeFile(path.join(folder, 'output'), '');
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  });

  it('are appended in the same form, each with a delimiter of its own', async () => {
    core.saveState('name', NASTY);
    saveState('name', NASTY);
    const text = await readFile(path.join(folder, 'output'), 'utf8');
    const delimiters = [...text.matchAll(/<<(\S+)/g)].map(([, delimiter = '']) => delimiter);
    expect(new Set(delimiters).size).toBe(2);
    const [theirs, ours] = delimiters.map((delimiter) =>
      text.split('name<<').find((part) => part.startsWith(delimiter)),
    );
    expect(ours?.replaceAll(delimiters[1] ?? '', 'D')).toBe(theirs?.replaceAll(delimiters[0] ?? '', 'D'));
  });

  it('have nobody to be told to where the runner gave no file', () => {
    vi.stubEnv('GITHUB_STATE', '');
    expect(printed(() => saveState('name', 'value'))).toBe('');
  });
});
