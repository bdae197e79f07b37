import { posix } from 'node:path';

/** Whether a name contains the pattern, or matches it as a glob such as `hero-*`. */
export function nameMatches(pattern: string, name: string): boolean {
  return name.includes(pattern) || posix.matchesGlob(name, pattern);
}
