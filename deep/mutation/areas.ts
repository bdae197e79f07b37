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
      'state/plan.ts',
      'state/confirm.ts',
      'state/earlier-submissions.ts',
      'state/hopeless.ts',
      'state/describe-plan.ts',
      'state/age.ts',
    ],
    tests: ['state/plan.test.ts', 'state/confirm.test.ts', 'state/describe-plan.test.ts', 'state/remember.test.ts'],
  },
  {
    name: 'verdict',
    files: ['policy/verdict.ts', 'policy/judge.ts', 'policy/compare.ts'],
    tests: ['policy/verdict.test.ts', 'policy/judge.test.ts', 'policy/compare.test.ts'],
  },
  {
    name: 'waivers',
    files: ['policy/waivers.ts', 'policy/waivers-file.ts', 'policy/waivers-yaml.ts', 'policy/waiver-source.ts'],
    tests: ['policy/waivers.test.ts', 'policy/waivers-file.test.ts', 'policy/waiver-source.test.ts'],
  },
  {
    name: 'state trust',
    files: [
      'state/seal.ts',
      'state/archive.ts',
      'state/find-states.ts',
      'state/knowledge.ts',
      'state/history.ts',
      'state/gate-id.ts',
      'state/lines.ts',
      'state/remember.ts',
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
      'service/retry.ts',
      'service/persevere.ts',
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
    files: ['escape.ts', 'http/words.ts'],
    tests: ['report/escape.test.ts', 'http/words.test.ts'],
  },
  {
    name: 'limits',
    files: ['state/bound.ts', 'report/clip.ts', 'report/budget.ts', 'report/annotations.ts', 'report/summary.ts'],
    tests: [
      'state/bound.test.ts',
      'report/clip.test.ts',
      'report/budget.test.ts',
      'report/annotations.test.ts',
      'report/summary-sections.test.ts',
    ],
  },
];
