import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

interface Package {
  readonly resolved?: string;
  readonly integrity?: string;
}

const text = await readFile(new URL('../../package-lock.json', import.meta.url), 'utf8');
const { packages }: { packages: Record<string, Package> } = JSON.parse(text);
const installed = Object.entries(packages).filter(([name]) => name !== '');

describe('package-lock.json', () => {
  it('names no download host, so that it works behind any mirror', () => {
    expect(installed.filter(([, { resolved }]) => resolved !== undefined).map(([name]) => name)).toEqual([]);
  });

  it('knows the hash of every package', () => {
    expect(installed.length).toBeGreaterThan(0);
    expect(installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([name]) => name)).toEqual(
      [],
    );
  });
});
