import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type LoadedScenario, parseScenario } from './scenario.ts';

const READY = fileURLToPath(new URL('../examples/scenarios/', import.meta.url));

/** The names of the scenarios in `examples/scenarios/`. */
export function readyScenarios(): readonly string[] {
  return readdirSync(READY)
    .map((name) => path.basename(name, '.json'))
    .toSorted();
}

/** Reads a scenario: one of the ready ones by its name, or a JSON file by its path. */
export async function readScenario(nameOrFile: string): Promise<LoadedScenario> {
  const isReady = readyScenarios().includes(nameOrFile);
  const file = isReady ? path.join(READY, `${nameOrFile}.json`) : nameOrFile;
  if (!existsSync(file)) {
    throw new Error(
      `There is no scenario "${nameOrFile}". Name a JSON file, or one of ${readyScenarios().join(', ')}.`,
    );
  }
  try {
    return parseScenario(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
