import { globSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../project.ts';

/** A folder of `src/`, or one file in it, and the tests that have to notice a change there. */
export interface Area {
  readonly name: string;
  /** Glob patterns under `src/`. */
  readonly sources: string;
  /**
   * Glob patterns under `test/`. Those in `gate/` start the action as a process; all others import the sources.
   */
  readonly tests: readonly string[];
}

export const AREAS: readonly Area[] = [
  { name: 'run', sources: '*.ts', tests: ['*.test.ts', 'gate/*.test.ts'] },
  { name: 'publish', sources: 'publish/**/*.ts', tests: ['publish/*.test.ts', 'gate/{comment,straight,verdicts}*'] },
  { name: 'report', sources: 'report/**/*.ts', tests: ['report/*.test.ts', 'gate/{baseline,comment,straight}*'] },
  { name: 'verdict', sources: 'verdict/**/*.ts', tests: ['verdict/*.test.ts', 'gate/{baseline,verdicts,waivers}*'] },
  { name: 'plan', sources: 'plan/**/*.ts', tests: ['plan/*.test.ts', 'gate/{state,unfinished}*'] },
  { name: 'state', sources: 'state/**/*.ts', tests: ['state/*.test.ts', 'gate/{state,signals}*'] },
  { name: 'inputs', sources: 'inputs/**/*.ts', tests: ['inputs/*.test.ts', 'gate/{waivers,working,verdicts}*'] },
  { name: 'service', sources: 'service/**/*.ts', tests: ['service/*.test.ts', 'gate/{service,waiting,straight}*'] },
  { name: 'media', sources: 'media/**/*.ts', tests: ['media/*.test.ts', 'gate/{events,odd,misnamed,state-lfs}*'] },
  { name: 'github', sources: 'github/**/*.ts', tests: ['github/*.test.ts', 'gate/{events,comment,state-refused}*'] },
  { name: 'http', sources: 'http/**/*.ts', tests: ['http/*.test.ts', 'gate/{network,service-rate,service-uploads}*'] },
  { name: 'lib', sources: 'lib/**/*.ts', tests: ['lib/*.test.ts', 'report/*.test.ts', 'gate/{straight,verdicts}*'] },
];

export interface TestFiles {
  readonly unit: readonly string[];
  readonly frontDoor: readonly string[];
}

export function testFilesOf({ name, tests }: Area): TestFiles {
  const files = globSync([...tests], { cwd: path.join(ROOT, 'test') })
    .map((file) => `test/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.test.ts'))
    .toSorted();
  if (files.length === 0) throw new Error(`The area "${name}" has no tests.`);
  const isFrontDoor = (file: string): boolean => file.startsWith('test/gate/');
  return { unit: files.filter((file) => !isFrontDoor(file)), frontDoor: files.filter(isFrontDoor) };
}
