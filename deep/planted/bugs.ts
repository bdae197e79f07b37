/** A mistake that the tests have to notice. */
export interface PlantedBug {
  readonly name: string;
  /** Under `src/`. */
  readonly file: string;
  /** A text that is in the file exactly once. */
  readonly search: string;
  readonly replacement: string;
  /** The tests that have to notice. */
  readonly tests: readonly TestChoice[];
  /** No test noticed it when it was chosen: the tests that do were written afterwards. */
  readonly wasMissed?: true;
}

export interface TestChoice {
  /** Under `test/`. */
  readonly file: string;
  /** A text in the names of the tests: only these are run. */
  readonly name: string;
}

export const BUGS: readonly PlantedBug[] = [
  {
    name: 'The key is sent to storage',
    file: 'service/storage.ts',
    search: `headers: { ...headers, 'x-ms-blob-type': 'BlockBlob' },`,
    replacement: `headers: { ...headers, 'x-ms-blob-type': 'BlockBlob', 'x-api-key': process.env['INPUT_API-KEY'] ?? '' },`,
    tests: [{ file: 'gate/service-uploads.test.ts', name: 'never the key' }],
  },
  {
    name: 'A creation is sent twice',
    file: 'service/submit.ts',
    search: `return await client.createSubmission(submission, options.simulationDelaySeconds, deadline);`,
    replacement: `await client.createSubmission(submission, options.simulationDelaySeconds, deadline);
      return await client.createSubmission(submission, options.simulationDelaySeconds, deadline);`,
    tests: [{ file: 'gate/straight.test.ts', name: 'become one submission' }],
  },
  {
    name: 'A creation is sent again after its answer was lost',
    file: 'service/retries.ts',
    search: `connection: 'unsent',\n  unreadableTries: 1,`,
    replacement: `connection: 'always',\n  unreadableTries: 1,`,
    tests: [
      { file: 'service/retry-policy.test.ts', name: 'isWorthAnotherTry' },
      { file: 'service/requester.test.ts', name: 'may have arrived' },
    ],
  },
  {
    name: 'An error passes',
    file: 'verdict/judge.ts',
    search: `isPassing: isForgiven, causes, contents };`,
    replacement: `isPassing: isForgiven || contents.length > 0, causes, contents };`,
    tests: [{ file: 'gate/verdicts.test.ts', name: 'a failed asset' }],
  },
  {
    name: 'Assets are assigned to files by their order',
    file: 'service/collect.ts',
    search: `byName.get(content.name) ?? []`,
    replacement: `facts.readings.slice(contents.indexOf(content)).slice(0, 1)`,
    tests: [{ file: 'service/collect.test.ts', name: 'its name says which file it is' }],
  },
  {
    name: 'A reused analysis is not read again',
    file: 'plan/confirm.ts',
    search: `if (hasNone || stoppedBy ||`,
    replacement: `if (hasNone || issues.length > 0 || stoppedBy ||`,
    tests: [{ file: 'gate/state-reuse.test.ts', name: 'a dismissal' }],
  },
  {
    name: 'A state is accepted without a valid signature',
    file: 'state/seal.ts',
    search: `if (!timingSafeEqual(Buffer.from(signature, 'hex'), Buffer.from(sign(payload, key), 'hex'))) return failure('forged');`,
    replacement: `timingSafeEqual(Buffer.from(signature, 'hex'), Buffer.from(sign(payload, key), 'hex'));`,
    tests: [
      { file: 'state/seal.test.ts', name: 'a signature that is wrong' },
      { file: 'gate/state-refused.test.ts', name: 'a state that cannot be used' },
    ],
  },
  {
    name: 'A summary shows text of the service without escaping',
    file: 'report/summary-issue.ts',
    search: `const text = markdown(truncate(issue.headline || issue.summary, MAX_LINE_LENGTH));`,
    replacement: `const text = truncate(issue.headline || issue.summary, MAX_LINE_LENGTH);`,
    tests: [
      { file: 'report/summary.test.ts', name: 'renderSummary with hostile texts' },
      { file: 'faults/injection.test.ts', name: 'are escaped in every output' },
    ],
  },
  {
    name: 'An eleventh error is printed',
    file: 'report/annotations.ts',
    search: `const failingLine = level === 'error' && !report.isPassing ? 1 : 0;`,
    replacement: `const failingLine = level === 'error' && report.isPassing ? 1 : 0;`,
    tests: [{ file: 'report/annotations.test.ts', name: 'inside the limits' }],
  },
  {
    name: 'Retry-After is ignored',
    file: 'service/retries.ts',
    search: `return requested ?? backoff(tries);`,
    replacement: `return Math.min(requested ?? 0, 0) + backoff(tries);`,
    tests: [
      { file: 'service/with-retries.test.ts', name: 'is waited out' },
      { file: 'gate/service-rate-limits.test.ts', name: 'stops every worker' },
    ],
  },
  {
    name: 'An outage passes although on-service-error is not warn',
    file: 'verdict/judge.ts',
    search: `const isForgiven = policy.onServiceError === 'warn' && !unforgivable`,
    replacement: `const isForgiven = !unforgivable`,
    tests: [{ file: 'gate/verdicts.test.ts', name: 'an outage' }],
  },
  {
    name: 'A missing issue count is taken for no issues',
    file: 'service/read-asset.ts',
    search: `return issueCount ?? (mode === 'sandbox' ? 0 : undefined);`,
    replacement: `return issueCount ?? (mode === 'sandbox' ? 0 : 0);`,
    tests: [{ file: 'service/analysis.test.ts', name: 'null is never 0' }],
  },
  {
    name: 'An unknown severity is taken for INFO',
    file: 'service/issue.ts',
    search: `severity: knownSeverity(issue.severity) ?? 'CRITICAL',`,
    replacement: `severity: knownSeverity(issue.severity) ?? 'INFO',`,
    tests: [
      {
        file: 'gate/service-results.test.ts',
        name: 'an unknown severity counts as CRITICAL, an unknown status as active',
      },
    ],
  },
  {
    name: 'A file without an asset passes',
    file: 'service/analysis.ts',
    search: `return { ...unjudged(content, submissionId, [cause]), issues };`,
    replacement: `return { ...unjudged(content, submissionId, [cause].slice(1)), outcome: 'judged', issues };`,
    tests: [{ file: 'service/analysis.test.ts', name: 'no assets at all' }],
  },
  {
    name: 'A pull request waives its own issues',
    file: 'waivers/load.ts',
    search: `const waivers = base ?? [];`,
    replacement: `const waivers = here ?? [];`,
    tests: [{ file: 'gate/waivers-base.test.ts', name: 'that the pull request itself adds' }],
  },
  {
    name: 'A state of another repository is accepted',
    file: 'state/seal.ts',
    search: `return binding.repositoryId === repositoryId && binding.gate`,
    replacement: `return binding.gate`,
    tests: [{ file: 'state/seal.test.ts', name: 'another place' }],
  },
  {
    name: 'The base branch is checked instead of the pull request',
    file: 'run.ts',
    search: `  await assertHeadCheckedOut(checkout, github);\n`,
    replacement: `  void assertHeadCheckedOut;\n`,
    tests: [{ file: 'gate/events-checkout.test.ts', name: 'with the base checked out' }],
  },
  {
    name: 'A submission is only saved at the end of the run',
    file: 'run.ts',
    search: `...found.open];\n    found.stateFile = await save('open', found, environment);\n`,
    replacement: `...found.open];\n`,
    tests: [{ file: 'gate/state-open.test.ts', name: 'SIGKILL: the next attempt' }],
  },
  {
    name: 'A signed upload address is in the log',
    file: 'service/storage.ts',
    search: '`${file.path}: the storage ${formatFailure',
    replacement: '`${file.path} (${uploadUrl}): the storage ${formatFailure',
    tests: [{ file: 'gate/service-uploads.test.ts', name: 'never the key' }],
  },
];
