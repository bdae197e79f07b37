/** A mistake that Stryker does not make, because it is more than one small change, or because only the whole action shows it. */
export interface PlantedBug {
  readonly name: string;
  /** Under `src/`. */
  readonly file: string;
  /** A text that is in the file exactly once. */
  readonly search: string;
  readonly replacement: string;
  /** The tests that have to notice: a file under `test/`, and a text in their names. */
  readonly test: { readonly file: string; readonly name: string };
}

/** Each would be expensive: a file billed twice, a leaked key, a pass that should fail. */
export const BUGS: readonly PlantedBug[] = [
  {
    name: 'The key is sent to storage',
    file: 'service/storage.ts',
    search: `headers: { ...headers, 'x-ms-blob-type': 'BlockBlob' },`,
    replacement: `headers: { ...headers, 'x-ms-blob-type': 'BlockBlob', 'x-api-key': process.env['INPUT_API-KEY'] ?? '' },`,
    test: { file: 'gate/service-uploads.test.ts', name: 'never the key' },
  },
  {
    name: 'A creation is sent twice',
    file: 'service/submit.ts',
    search: `return await client.createSubmission(compose(uploads, options), options.simulationDelaySeconds, deadline);`,
    replacement: `await client.createSubmission(compose(uploads, options), options.simulationDelaySeconds, deadline);
      return await client.createSubmission(compose(uploads, options), options.simulationDelaySeconds, deadline);`,
    test: { file: 'gate/straight.test.ts', name: 'become one submission' },
  },
  {
    name: 'Assets are assigned to files by their order',
    file: 'service/analysis.ts',
    search: `byName.get(content.name) ?? []`,
    replacement: `facts.readings.slice(contents.indexOf(content)).slice(0, 1)`,
    test: { file: 'service/analysis.test.ts', name: 'another name' },
  },
  {
    name: 'Texts of the service are shown without escaping',
    file: 'lib/escape.ts',
    search: `    .replace(MARKDOWN_SYNTAX, markdownEntity)\n    .replace(BLOCK_START, (start)`,
    replacement: `    .replace(MARKDOWN_SYNTAX, markdownEntity)\n    .replace(/^.*$/s, () => line)\n    .replace(BLOCK_START, (start)`,
    test: { file: 'faults/injection.test.ts', name: 'are escaped in every output' },
  },
  {
    name: 'A pull request waives its own issues',
    file: 'waivers/load.ts',
    search: `const waivers = base ?? [];`,
    replacement: `const waivers = here ?? [];`,
    test: { file: 'gate/waivers-base.test.ts', name: 'that the pull request itself adds' },
  },
  {
    name: 'The base branch is checked instead of the pull request',
    file: 'run.ts',
    search: `  await assertHeadCheckedOut(checkout, github);\n`,
    replacement: `  void assertHeadCheckedOut;\n`,
    test: { file: 'gate/events-checkout.test.ts', name: 'with the base checked out' },
  },
  {
    name: 'A submission is only saved at the end of the run',
    file: 'run.ts',
    search: `submitFiles, saveSubmission,`,
    replacement: `submitFiles,`,
    test: { file: 'gate/state-open.test.ts', name: 'SIGKILL: the next attempt' },
  },
  {
    name: 'A signed upload address is in the log',
    file: 'service/storage.ts',
    search: '`${path}: ${message}; trying again',
    replacement: '`${path} (${uploadUrl}): ${message}; trying again',
    test: { file: 'gate/service-uploads.test.ts', name: 'never the key' },
  },
];
