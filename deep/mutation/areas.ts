/** A part of the gate where a wrong decision would be expensive, and the tests that have to notice one. */
export interface Area {
  readonly name: string;
  /** Of `src/`. */
  readonly files: readonly string[];
  /** Of `test/`. Only those that import the sources: the front-door tests start `dist/`, where there are no mutants. */
  readonly tests: readonly string[];
}

export const AREAS: readonly Area[] = [
  {
    name: 'plan',
    files: [
      'plan/plan.ts',
      'plan/confirm.ts',
      'plan/earlier-submissions.ts',
      'plan/describe-plan.ts',
      'state/document.ts',
    ],
    tests: ['state/plan.test.ts', 'state/confirm.test.ts', 'state/describe-plan.test.ts', 'state/remember.test.ts'],
  },
  {
    name: 'verdict',
    files: ['verdict/verdict.ts', 'verdict/judge-issues.ts', 'verdict/compare.ts'],
    tests: ['policy/verdict.test.ts', 'policy/judge.test.ts', 'policy/compare.test.ts'],
  },
  {
    name: 'waivers',
    files: ['verdict/waivers.ts', 'inputs/waivers-file.ts', 'inputs/waivers-yaml.ts', 'inputs/read-waivers.ts'],
    tests: ['policy/waivers.test.ts', 'policy/waivers-file.test.ts', 'policy/waiver-source.test.ts'],
  },
  {
    name: 'state trust',
    files: [
      'state/seal.ts',
      'state/archive.ts',
      'state/find-states.ts',
      'state/earlier-state.ts',
      'verdict/baseline.ts',
      'state/gate-id.ts',
      'state/scopes.ts',
      'state/merge.ts',
    ],
    tests: [
      'state/seal.test.ts',
      'state/archive.test.ts',
      'state/find-states.test.ts',
      'state/knowledge.test.ts',
      'state/history.test.ts',
      'state/lines.test.ts',
      'state/gate-id.test.ts',
      'state/remember.test.ts',
    ],
  },
  {
    name: 'retry rules',
    files: [
      'service/retry-policy.ts',
      'service/with-retries.ts',
      'service/buckets.ts',
      'service/failure.ts',
      'service/creation-failure.ts',
      'http/backoff.ts',
    ],
    tests: [
      'service/retry.test.ts',
      'service/persevere.test.ts',
      'service/buckets.test.ts',
      'service/caller.test.ts',
      'service/creation-failure.test.ts',
      'service/failure.test.ts',
    ],
  },
  {
    name: 'escaping',
    files: ['lib/escape.ts', 'http/error-body.ts'],
    tests: ['lib/escape.test.ts', 'http/error-body.test.ts'],
  },
  {
    name: 'limits',
    files: ['report/truncate.ts', 'report/budget.ts', 'report/annotations.ts', 'report/summary.ts'],
    tests: [
      'state/document.test.ts',
      'report/truncate.test.ts',
      'report/budget.test.ts',
      'report/annotations.test.ts',
      'report/summary-sections.test.ts',
    ],
  },
];
