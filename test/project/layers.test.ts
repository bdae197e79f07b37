import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SRC = fileURLToPath(new URL('../../src/', import.meta.url));

/** The layers of src/, highest first. A module imports, types included, only from its own layer or a lower one. */
const LAYERS = await readLayers();

/** Modules and packages that reach outside resources, and the files that may import them. */
const DOORS: Readonly<Record<string, readonly string[]>> = {
  'github/runner.ts': ['start.ts'],
  'http/transport.ts': ['service/client.ts', 'github/connect.ts'],
  '@actions/artifact': ['github/artifacts.ts'],
  '@actions/github': ['github/connect.ts'],
};

interface Import {
  readonly from: string;
  readonly to: string;
  readonly typesOnly: boolean;
}

const modules = (await readdir(SRC, { recursive: true }))
  .map((name) => name.replaceAll(path.sep, '/'))
  .filter((name) => /\.tsx?$/.test(name));
const imports = (await Promise.all(modules.map(importsOf))).flat();
const inside = imports.filter(({ to }) => /\.tsx?$/.test(to));

it('src/ has a layer in docs/developing.md for every module, and a module for every entry', () => {
  expect(modules.filter((module) => layerOf(module) === -1)).toEqual([]);
  expect(LAYERS.filter((layer) => !modules.some((module) => isIn(module, layer)))).toEqual([]);
});

it('a module uses only what is in the same layer or below', () => {
  expect(inside.filter(({ from, to }) => layerOf(to) < layerOf(from)).map(formatImport)).toEqual([]);
});

it('each outside resource is used in one place', () => {
  const opened = imports.filter(({ to, typesOnly }) => to in DOORS && !typesOnly);
  expect(opened.filter(({ from, to }) => !DOORS[to]?.includes(from)).map(formatImport)).toEqual([]);
  expect(Object.keys(DOORS).filter((door) => !opened.some(({ to }) => to === door))).toEqual([]);
});

it('src/ imports nothing from outside but packages, Node and the version', () => {
  const outside = imports.filter(({ to }) => to.startsWith('..'));
  expect(outside.map(formatImport)).toEqual(['service/requester.ts → ../package.json']);
});

async function readLayers(): Promise<readonly string[]> {
  const page = await readFile(path.join(SRC, '../docs/developing.md'), 'utf8');
  const [list = ''] = page.match(/(?<=\n## Folders\n)[\s\S]*?(?=\n## )/) ?? [];
  const items = [...list.matchAll(/^- (`[^:]+`):/gm)].flatMap(([, names = '']) => names.split(', '));
  return items.map((item) => item.replaceAll(/[`/]/g, ''));
}

function layerOf(module: string): number {
  return LAYERS.findIndex((layer) => isIn(module, layer));
}

function isIn(module: string, layer: string): boolean {
  return module === layer || module.startsWith(`${layer}/`);
}

function formatImport({ from, to }: Import): string {
  return `${from} → ${to}`;
}

/** Regular expressions can parse the imports, because the formatter writes all of them in the same way. */
async function importsOf(module: string): Promise<readonly Import[]> {
  const text = await readFile(path.join(SRC, module), 'utf8');
  const statements = text.matchAll(/^(?:import|export) (type )?(?:[^;']*? from )?'([^']+)'/gm);
  const calls = text.matchAll(/()\bimport\('([^']+)'\)/g);
  return [...statements, ...calls].map(([, type, specifier = '']) => ({
    from: module,
    to: specifier.startsWith('.') ? path.posix.join(path.posix.dirname(module), specifier) : specifier,
    typesOnly: Boolean(type),
  }));
}
