import type { Cause } from '../../src/causes/cause.ts';
import { type Findings, nothingFound } from '../../src/findings.ts';
import { readContext } from '../../src/github/context.ts';
import { type Inputs, readInputs } from '../../src/inputs/parse.ts';
import type { Content } from '../../src/media/content.ts';
import { NO_PLAN, type Plan, type PlannedContent } from '../../src/plan/plan.ts';
import { buildReport } from '../../src/report/build.ts';
import type { Report } from '../../src/report/report.ts';
import { judge } from '../../src/verdict/judge.ts';
import type { Result } from './analyses.ts';
import { analysed, open } from './states.ts';

/** Builders of what a run has found, and the report about it. */

const NOW = new Date('2026-11-15T12:00:00Z');
const ROOT = { workspace: '/home/me/repo' };
const VALUES: Readonly<Record<string, string>> = {
  'api-key': `sk_live_${'a'.repeat(64)}`,
  'base-url': 'https://service.example',
  'issue-url': 'https://service.example/{issueId}?of={assetId}',
};

function read(values: Readonly<Record<string, string>>): Inputs {
  return readInputs((name) => values[name] ?? '', ROOT.workspace).inputs;
}

/** What a report needs to know about a run. */
export interface SampleRun {
  readonly found: Findings;
  readonly inputs: Inputs;
}

const inputs = read(VALUES);

export function skippedBy(cause: Cause): Partial<Findings> {
  return { skipped: { cause, isExpected: false } };
}

const NEW = { kind: 'sent', why: 'new', previous: undefined } as const;

/** A plan in which each content has this source. */
export function planOf(contents: readonly Content[], source: PlannedContent['source'] = NEW): Plan {
  const records = source.kind === 'sent' ? [] : [source.record];
  return { ...NO_PLAN, contents: contents.map((content) => ({ content, source, records })) };
}

/** A run that ended before it sent anything. */
export function notSent(results: readonly Result[], overrides: Partial<Findings>): SampleRun {
  const contents = results.map((each) => each.content);
  const files = contents.flatMap(({ paths, file }) => paths.map((path) => ({ ...file, path })));
  return {
    found: {
      ...nothingFound(),
      discovery: { ...nothingFound().discovery, files },
      plan: planOf(contents),
      ...overrides,
    },
    inputs,
  };
}

/** A run that sent these contents and has these results. */
export function sent(results: readonly Result[], overrides: Partial<Findings> = {}): SampleRun {
  const created = { submissionId: 's1', notice: undefined, mayExistTwice: false };
  const { analyses = results } = overrides;
  const records = analyses.flatMap(({ content: { sha256 }, submissionId }) =>
    open(submissionId, ['a']).map((each) => ({ ...each, sha256 })),
  );
  return notSent(results, {
    created,
    sent: records,
    submissionIds: [created.submissionId],
    stateFile: '/state.json',
    analyses,
    ...overrides,
  });
}

/** A run in which everything was analysed before. */
export function reused(results: readonly Result[], overrides: Partial<Findings> = {}): SampleRun {
  const contents = results.map(({ content: each, issues, submissionId }) => {
    const sent = { at: '2026-11-01T10:00:00.000Z', sha256: each.sha256, submissionId };
    const record = analysed(each.sha256, { ...sent, versionNumber: 1, issues: [...issues] });
    return { content: each, source: { kind: 'reused', record } as const, records: [record] };
  });
  return notSent(results, { plan: { ...NO_PLAN, contents }, analyses: results, ...overrides });
}

const SENT = { sha256: 'a', name: 'a', category: 'image', submissionId: 's2', sidekicks: '' } as const;

/** The source of a content that an earlier run sent and that is still being analysed. */
export const AWAIT = {
  kind: 'awaited',
  record: { kind: 'open', ...SENT, at: '2026-11-14T10:00:00.000Z' },
} as const;

/** A run that ended before it found any file. */
export function unstarted(overrides: Partial<Findings>): SampleRun {
  return { found: { ...nothingFound(), ...overrides }, inputs: read({}) };
}

export function reportOf({ found, inputs }: SampleRun, over: Partial<Parameters<typeof buildReport>[0]> = {}): Report {
  const verdict = judge(found, inputs.policy);
  return buildReport({
    found,
    verdict,
    inputs,
    context: readContext({}),
    isChanged: () => undefined,
    now: NOW,
    ...over,
  });
}
