import type { Endpoint } from '../../emulator/record.ts';

const MILD: readonly unknown[] = ['MAJOR', 'MINOR', 'INFO'];
const CLOSED: readonly unknown[] = ['RESOLVED', 'DISMISSED'];

/** Whether an answer, as it was sent, has an open CRITICAL issue in a place where a reader has to see it. */
export function tellsCritical(endpoint: Endpoint | undefined, text: string): boolean {
  if (endpoint !== 'assets/read' && endpoint !== 'assets/issues') return false;
  const issues = listIn(parse(text));
  return issues.some((issue) => isObject(issue) && !has(MILD, issue['severity']) && !has(CLOSED, issue['status']));
}

function has(words: readonly unknown[], told: unknown): boolean {
  return typeof told === 'string' && words.includes(told.toUpperCase());
}

function listIn(answer: unknown): readonly unknown[] {
  if (Array.isArray(answer)) return answer;
  return isObject(answer) && Array.isArray(answer['issues']) ? answer['issues'] : [];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
