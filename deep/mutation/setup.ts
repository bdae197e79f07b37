/** Loaded before every test file of a mutation run. */
import { writeFileSync } from 'node:fs';
import { configureGlobal } from 'fast-check';
import { afterAll } from 'vitest';

/** Filled by the code that Stryker's instrumenter adds to the sources. */
interface Instrumented {
  readonly mutantCoverage?: { readonly static: Readonly<Record<string, number>> };
}

// A score must not depend on random test data.
configureGlobal({ seed: 1 });

/** Set by `coverage.ts`, which is not imported here because it loads some of the changed sources. */
const file = process.env['MUTATION_COVERAGE'];
if (file !== undefined) {
  afterAll(() => {
    const { mutantCoverage }: Instrumented = Reflect.get(globalThis, '__stryker__') ?? {};
    writeFileSync(file, JSON.stringify(Object.keys(mutantCoverage?.static ?? {})));
  });
}
