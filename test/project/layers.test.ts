import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const SRC = fileURLToPath(new URL('../../src/', import.meta.url));

/**
 * What each part of src/ may import: a part, or one file of it. `types` vanish when the action is built, so they may also
 * come from above. `base` is every file beside the folders that is not a part of its own.
 */
const LAYERS: Readonly<Record<string, { readonly values: readonly string[]; readonly types: readonly string[] }>> = {
  base: { values: [], types: [] },
  media: { values: ['base'], types: [] },
  service: { values: ['base', 'media'], types: ['inputs', 'state'] },
  policy: { values: ['base', 'media', 'service'], types: [] },
  report: { values: ['base', 'media', 'policy', 'service'], types: ['github', 'inputs', 'state', 'trail.ts'] },
  inputs: { values: ['base', 'media', 'report', 'service'], types: [] },
  github: { values: ['base', 'media', 'report', 'service', 'state/gate-id.ts'], types: ['inputs'] },
  state: { values: ['base', 'github', 'media', 'service'], types: ['inputs'] },
  'trail.ts': { values: [], types: ['base', 'inputs', 'media', 'service', 'state'] },
  'run.ts': { values: ['base', 'github', 'inputs', 'media', 'report', 'service', 'state'], types: ['trail.ts'] },
  'main.ts': { values: ['base', 'github/runner.ts', 'run.ts'], types: [] },
};

/** Doors to the outside: who may open them. */
const DOORS: Readonly<Record<string, readonly string[]>> = {
  'github/runner.ts': ['main.ts'],
  'service/undici-http.ts': ['run.ts'],
  '@actions/artifact': ['github/artifacts.ts'],
  '@actions/core': ['github/runner.ts'],
  '@actions/github': ['github/octokit.ts'],
};

interface Import {
  readonly from: string;
  /** A file of src/, or a package. */
  readonly to: string;
  readonly typesOnly: boolean;
}

const modules = (await readdir(SRC, { recursive: true }))
  .map((name) => name.replaceAll(path.sep, '/'))
  .filter((name) => name.endsWith('.ts'));
const imports = (await Promise.all(modules.map(importsOf))).flat();
const inside = imports.filter(({ to }) => to.endsWith('.ts'));

describe('src/', () => {
  it('imports only downwards', () => {
    expect(inside.filter((each) => !isAllowed(each)).map(told)).toEqual([]);
  });

  it('has no rule that nothing needs', () => {
    const idle = Object.entries(LAYERS).flatMap(([part, { values, types }]) =>
      [...values, ...types]
        .filter((target) => !inside.some(({ from, to }) => partOf(from) === part && isIn(to, target)))
        .map((target) => `${part} → ${target}`),
    );
    expect(idle).toEqual([]);
  });

  it('opens each door to the outside in one place', () => {
    const opened = imports.filter(({ to, typesOnly }) => to in DOORS && !typesOnly);
    expect(opened.filter(({ from, to }) => !DOORS[to]?.includes(from)).map(told)).toEqual([]);
    expect(Object.keys(DOORS).filter((door) => !opened.some(({ to }) => to === door))).toEqual([]);
  });

  it('imports nothing from outside but packages and Node', () => {
    expect(imports.filter(({ to }) => to.startsWith('..')).map(told)).toEqual([]);
  });

  it('has no cycle, not even of types', () => {
    expect(findCycle()).toEqual([]);
  });
});

function isAllowed({ from, to, typesOnly }: Import): boolean {
  const part = partOf(from);
  if (part === partOf(to)) return true;
  const layer = LAYERS[part];
  const allowed = [...(layer?.values ?? []), ...(typesOnly ? (layer?.types ?? []) : [])];
  return allowed.some((target) => isIn(to, target));
}

function isIn(module: string, target: string): boolean {
  return module === target || partOf(module) === target;
}

function partOf(module: string): string {
  const [first = ''] = module.split('/');
  return first in LAYERS ? first : 'base';
}

function told({ from, to, typesOnly }: Import): string {
  return `${from} → ${to}${typesOnly ? ' (types)' : ''}`;
}

/** The formatter writes every statement in one way, so a pattern can read them. */
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

/** The modules of one cycle, or none. */
function findCycle(): readonly string[] {
  const done = new Set<string>();
  const visit = (module: string, trail: readonly string[]): readonly string[] => {
    if (trail.includes(module)) return [...trail.slice(trail.indexOf(module)), module];
    if (done.has(module)) return [];
    for (const { to } of inside.filter(({ from }) => from === module)) {
      const cycle = visit(to, [...trail, module]);
      if (cycle.length > 0) return cycle;
    }
    done.add(module);
    return [];
  };
  return modules.reduce<readonly string[]>((cycle, module) => (cycle.length > 0 ? cycle : visit(module, [])), []);
}
