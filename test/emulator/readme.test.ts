import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../emulator/emulator.ts';
import { parseScenario, ScenarioSchema } from '../../emulator/scenario.ts';
import { pdf, png } from '../harness/media.ts';
import { runAction } from '../harness/run-action.ts';
import { makeWorkspace } from '../harness/workspace.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const READY = 'examples/scenarios';
const page = await readFile(`${ROOT}emulator/README.md`, 'utf8');
const tables = tablesOf(page);

describe.concurrent('a ready scenario', () => {
  let emulator: Emulator;
  let workspace: Awaited<ReturnType<typeof makeWorkspace>>;
  beforeAll(async () => {
    emulator = await startEmulator();
    workspace = await makeWorkspace({ 'any.png': png('any'), 'folder/other.pdf': pdf('other') });
  });
  afterAll(async () => await Promise.all([emulator.close(), workspace.remove()]));

  const ready = rowsUnder('Ready scenarios').map((row) => row.map((cell) => spansOf(cell)[0] ?? ''));

  it('has a row in the page', async () => {
    expect(ready.map(([file]) => file)).toEqual((await readdir(`${ROOT}${READY}`)).toSorted());
  });

  it('is given the inputs of the command', () => {
    expect(inputsOf(page)).toEqual({ 'wait-timeout-minutes': '1' });
  });

  it.each(ready)('%s ends as the page says', async (file = '', _happens, verdict, reason, message = '') => {
    const scenario = parseScenario(JSON.parse(await readFile(`${ROOT}${READY}/${file}`, 'utf8')));
    const run = await runAction({ emulator, workspace: workspace.path, scenario, inputs: inputsOf(page) });
    expect(run.outputs, run.log).toMatchObject({ verdict, reason });
    expect(run.log).toContain(message);
  });
});

describe('the tables of fields', () => {
  const sections = [...tables.keys()].filter((heading) => heading !== 'Ready scenarios');
  const described = sections.flatMap(spansOf);

  it.each(sections)('%s: has every field, and no other', (heading) => {
    const fields = new Set(schemasOf(heading).flatMap((schema) => fieldsIn(schema, described)));
    expect(
      rowsUnder(heading)
        .flatMap(([field = '']) => spansOf(field))
        .toSorted(),
    ).toEqual([...fields].toSorted());
  });

  it.each(sections)('%s: names the values that a field takes, and its default', (heading) => {
    const missing = rowsUnder(heading).filter(([field = '', values = '']) => {
      const [name = ''] = spansOf(field);
      const schema = schemasOf(heading).find(({ entries = {} }) => name in entries)?.entries?.[name];
      const choices = choicesOf(schema);
      const isNamed = choices.length === 0 || isDeepStrictEqual(spansOf(values), choices);
      return !isNamed || !values.includes(defaultOf(schema));
    });
    expect(missing).toEqual([]);
  });

  it.each(sections)('%s: has examples that the emulator takes', (heading) => {
    for (const [field = '', , , example = ''] of rowsUnder(heading)) {
      const [json = ''] = spansOf(example);
      const keys = new Set<string>();
      const value: unknown = JSON.parse(json, (key, inner: unknown) => {
        keys.add(key);
        return inner;
      });
      expect(keys, json).toEqual(keys.union(new Set(spansOf(field))));
      expect(
        schemasOf(heading).some((schema) => v.is(schema, value)),
        json,
      ).toBe(true);
    }
  });

  it('are of things that a scenario has', () => {
    expect(described.filter((name) => objectsNamed(name).length === 0)).toEqual([]);
  });
});

/** As much of a schema as is looked at here. */
type Schema = v.GenericSchema & {
  readonly entries?: Readonly<Record<string, Schema>>;
  readonly wrapped?: Schema;
  readonly item?: Schema;
  readonly key?: Schema;
  readonly value?: Schema;
  readonly options?: readonly unknown[];
  readonly default?: unknown;
};

/** What a section is about: the objects under the fields that its heading names, or else the scenario itself. */
function schemasOf(heading: string): readonly Schema[] {
  const names = spansOf(heading);
  return names.length === 0 ? [ScenarioSchema] : names.flatMap((name) => objectsNamed(name));
}

function objectsNamed(name: string, within: Schema = ScenarioSchema): readonly Schema[] {
  return Object.entries(within.entries ?? {}).flatMap(([field, schema]) => {
    const object = innermost(schema);
    return [...(field === name && object.entries ? [object] : []), ...objectsNamed(name, object)];
  });
}

/** The fields of an object, with those of the objects in it that have no section of their own. */
function fieldsIn(schema: Schema, elsewhere: readonly string[]): readonly string[] {
  return Object.entries(schema.entries ?? {}).flatMap(([name, field]) => [
    name,
    ...(elsewhere.includes(name) ? [] : fieldsIn(innermost(field), elsewhere)),
  ]);
}

/** What is left of a schema without "optional", "list of" and "for each name". */
function innermost(schema: Schema): Schema {
  const inner = schema.wrapped ?? schema.item ?? schema.value;
  return inner ? innermost(inner) : schema;
}

/** The choices among which a field, a list of it or its names choose. */
function choicesOf(schema: Schema | undefined): readonly unknown[] {
  if (!schema) return [];
  if (schema.type === 'picklist') return schema.options ?? [];
  return [schema.wrapped, schema.item, schema.key].flatMap(choicesOf);
}

/** As the page writes it. Empty lists and objects are not mentioned. */
function defaultOf(schema: Schema | undefined): string {
  const value = schema?.default;
  return ['string', 'number', 'boolean'].includes(typeof value) ? `default ${String(value)}` : '';
}

/** The cells of each table's rows, by the heading above it. */
function tablesOf(markdown: string): ReadonlyMap<string, readonly (readonly string[])[]> {
  const parts = markdown.split(/^##+ /m).map((part) => {
    const [, , ...rows] = part.split('\n').filter((line) => line.startsWith('| '));
    return [part.split('\n')[0] ?? '', rows.map((row) => row.slice(2, -2).split(' | '))] as const;
  });
  return new Map(parts.filter(([, rows]) => rows.length > 0));
}

function rowsUnder(heading: string): readonly (readonly string[])[] {
  return tables.get(heading) ?? [];
}

function spansOf(markdown: string): readonly string[] {
  return [...markdown.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);
}

/** The inputs that the first command of the page gives the gate. */
function inputsOf(markdown: string): Readonly<Record<string, string>> {
  const command = /```sh\n([^]*?)```/.exec(markdown)?.[1] ?? '';
  const flags = [...command.matchAll(/--([a-z-]+) (\S+)/g)].map(([, name = '', value = '']) => [name, value] as const);
  return Object.fromEntries(flags.filter(([name]) => name !== 'scenario'));
}
