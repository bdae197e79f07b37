import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { EOL } from 'node:os';

/**
 * As much of the runner's language as a run needs before it has anything to tell: `@actions/core` speaks all of it, but
 * brings an HTTP client along whose loading would be half of our start. A test compares the two.
 */

export function printCommand(name: 'add-mask' | 'group' | 'endgroup' | 'notice' | 'warning', message: string): void {
  printLine(`::${name}::${escapeData(message)}`);
}

export function printLine(text: string): void {
  process.stdout.write(text + EOL);
}

/** Kept by the runner for the post step, even where this process is killed. */
export function saveState(name: string, value: string): void {
  const file = process.env['GITHUB_STATE'];
  // Unguessable, so that no value can end itself early and begin another.
  const delimiter = `ghadelimiter_${randomUUID()}`;
  if (file) appendFileSync(file, `${name}<<${delimiter}${EOL}${value}${EOL}${delimiter}${EOL}`);
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
