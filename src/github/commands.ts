import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { EOL } from 'node:os';

/**
 * The runner's own language: commands on standard output, and files that it reads when the step is over. It is what
 * `@actions/core` writes; that one brings an HTTP client along, whose loading would be half of our start.
 */

/** Properties without a value are left out. */
export type CommandProperties = Readonly<Record<string, string | number | undefined>>;

export function printCommand(name: string, properties: CommandProperties, message: string): void {
  const told = Object.entries(properties).filter(([, value]) => value !== undefined && value !== '');
  const list = told.map(([key, value]) => `${key}=${escapeProperty(String(value))}`).join(',');
  printLine(`::${name}${list && ` ${list}`}::${escapeData(message)}`);
}

export function printLine(text: string): void {
  process.stdout.write(text + EOL);
}

/** Appends a named value to one of the runner's files. Where it gave none (another host), there is nobody to tell. */
export function appendValue(file: 'GITHUB_OUTPUT' | 'GITHUB_STATE', name: string, value: string): void {
  // Unguessable, so that no value can end itself early and begin another.
  const delimiter = `ghadelimiter_${randomUUID()}`;
  const path = process.env[file];
  if (path) appendFileSync(path, `${name}<<${delimiter}${EOL}${value}${EOL}${delimiter}${EOL}`);
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
