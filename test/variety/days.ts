import { rm } from 'node:fs/promises';
import path from 'node:path';
import * as fc from 'fast-check';
import { expect } from 'vitest';
import type { Emulator, Scenario, Workspace } from '../../emulator/emulator.ts';
import type { Manner } from '../harness/manners.ts';
import { png } from '../harness/media.ts';
import { startSeries } from '../harness/series.ts';
import { CLOCK_FACTOR } from './manners.ts';

type Rule = NonNullable<Scenario['files']>[number];
type Faults = NonNullable<Scenario['faults']>;

const SERVICE = ['uploads/direct', 'uploads/url', 'submissions/create', 'submissions/read', 'assets/issues'] as const;
const DOWN: Faults = SERVICE.map((on) => ({ on, status: 503 }));
/** Days on which the service is down, or has also lost every submission until the next day. */
const OUTAGES: Readonly<Record<string, Faults>> = {
  down: DOWN,
  lost: [{ on: 'submissions/read', status: 404 }, ...DOWN],
};

/** One day: the gate runs on it once. `file` has new bytes on that day. */
export type Day =
  | { readonly kind: 'first run' | 'unchanged' | 're-run' | 'all again' | 'reviewed' | 'renamed' }
  | { readonly kind: 'changed' | 'down' | 'lost' | 'hanging'; readonly file?: Name };

const NAMES = ['good', 'bad', 'slow', 'ill', 'sick', 'dead'] as const;
type Name = (typeof NAMES)[number];

/** A repository with one file of each name. */
export interface Life {
  /** Of what `bad` and `ill` have. */
  readonly severity: 'CRITICAL' | 'MAJOR';
  readonly names: readonly Name[];
  /** After the first run. */
  readonly days: readonly Day[];
}

const name = fc.constantFrom(...NAMES.slice(0, -1));

function dayOf(kind: 'changed' | 'down' | 'lost' | 'hanging'): fc.Arbitrary<Day> {
  return fc.record(
    { kind: fc.constant(kind), file: name },
    { requiredKeys: kind === 'down' || kind === 'lost' ? ['kind'] : ['kind', 'file'] },
  );
}

/** Every life has a re-run, an outage, an analysis that outlasts its run, and a last day without a change. */
export const lives: fc.Arbitrary<Life> = fc.record({
  severity: fc.constantFrom('CRITICAL', 'MAJOR'),
  names: fc.constantFrom(NAMES, NAMES, NAMES.slice(0, -1)),
  days: fc
    .tuple(
      fc.constant<Day>({ kind: 're-run' }),
      fc.oneof(dayOf('down'), dayOf('lost')),
      dayOf('hanging'),
      fc.oneof(
        dayOf('changed'),
        fc.constantFrom<Day>({ kind: 'all again' }, { kind: 'reviewed' }, { kind: 'renamed' }),
      ),
    )
    .chain((all) => fc.shuffledSubarray([...all], { minLength: 4 }))
    .map((all): readonly Day[] => [...all, { kind: 'unchanged' }]),
});

/** What the service does with each file, whatever its bytes are. */
function rulesOf({ severity }: Life, isHanging: boolean): readonly Rule[] {
  const rules: readonly Rule[] = [
    { match: 'poster' },
    {
      match: 'bad-',
      issues: [
        { severity, ruleCode: 'AD-1' },
        { severity: 'MINOR', ruleCode: 'AD-2' },
      ],
    },
    { match: 'slow-', reads: 2, issues: [{ severity: 'MAJOR', ruleCode: 'AD-3' }] },
    { match: 'ill-', reads: 1, fails: { times: 1 }, issues: [{ severity, ruleCode: 'AD-4' }] },
    { match: 'sick-', reads: 1, fails: { times: 1 } },
    { match: 'dead-', fails: { isRetryable: false } },
    { match: '*' },
  ];
  return isHanging ? rules.map((rule) => ({ ...rule, reads: 1_000_000 })) : rules;
}

/** Lives through all days with a service of these manners. Returns what must not depend on them, in lines. */
export async function live(
  emulator: Emulator,
  life: Life,
  { scenario, handler }: Manner = {},
): Promise<readonly string[]> {
  const files = Object.fromEntries(life.names.map((each) => [`${each}.png`, png(each)]));
  await using series = await startSeries(emulator, files, { clockFactor: CLOCK_FACTOR });
  const { service } = series;
  service.handler = handler?.(service);
  const lines: string[] = [];
  /** Contents in which an earlier run found an open CRITICAL issue. */
  let critical: readonly string[] = [];
  let [runId, attempt] = [0, 1];
  for (const [index, day] of [{ kind: 'first run' } as const, ...life.days].entries()) {
    [runId, attempt] = day.kind === 're-run' ? [runId, attempt + 1] : [runId + 1, 1];
    if ('file' in day) await series.write({ [`${day.file}.png`]: png(`${day.file} ${index}`) });
    if (day.kind === 'renamed') {
      await rm(path.join(series.workspace, 'good.png'));
      await series.write({ 'copy.png': png('good'), 'deeper/copy.png': png('good') });
    }
    endHanging(service);
    if (day.kind === 'reviewed') service.changeIssues({ ruleCode: 'AD-1' }, { status: 'DISMISSED' });
    const faults = OUTAGES[day.kind] ?? [];
    service.load({
      ...scenario,
      files: rulesOf(life, day.kind === 'hanging'),
      faults: [...faults, ...(scenario?.faults ?? [])],
    });
    const before = service.submissions.length;
    const run = await series.run({
      runId,
      attempt,
      inputs: {
        'on-service-error': faults.length > 0 ? 'warn' : 'error',
        'wait-timeout-minutes': '5',
        ...(day.kind === 'all again' && { 'reuse-days': '0' }),
      },
    });
    const created = service.submissions.slice(before);
    const billed = created.reduce((sum, { creditsSpent }) => sum + creditsSpent, 0);
    const { verdict, reason } = run.outputs;
    const outcome = `${verdict} ${reason}, exit ${run.exitCode}, ${created.length} created, ${billed} billed`;
    const report: ReportJson = JSON.parse(run.file('report.json'));
    lines.push(...[outcome, ...linesOf(report)].map((line) => `day ${index} (${day.kind}): ${line}`));
    if (report.contents.some((content) => content.outcome !== 'result' && critical.includes(content.sha256)))
      expect(run.exitCode, `A known CRITICAL issue passes.\n${run.log}`).toBe(1);
    critical = [...critical, ...report.contents.filter(hasCritical).map(({ sha256 }) => sha256)];
  }
  return lines;
}

/** Expects the same lines of two services, and names those that only one of them has. */
export function expectSame(lines: readonly string[], plain: readonly string[], life: Life): void {
  const missing = plain.filter((line) => !lines.includes(line)).map((line) => `${line} (plain service)`);
  const added = lines.filter((line) => !plain.includes(line));
  expect([...missing, ...added].toSorted(), JSON.stringify(life)).toEqual([]);
}

/** Lets analyses of an earlier day end with the second read. */
function endHanging({ submissions }: Workspace): void {
  for (const { pending } of submissions.flatMap(({ assets }) => assets)) if (pending) pending.readsLeft = 1;
}

interface ReportJson {
  readonly contents: readonly {
    readonly paths: readonly string[];
    readonly sha256: string;
    readonly source: string;
    readonly outcome: string;
    readonly issues: readonly Readonly<Record<'ruleCode' | 'severity' | 'status', string>>[];
  }[];
  readonly causes: readonly { readonly reason: string; readonly paths: readonly string[] }[];
}

/** Why the check stops, and each content with its source, outcome and issues. */
function linesOf({ contents, causes }: ReportJson): readonly string[] {
  const stops = causes.map(({ reason, paths }) => `${reason}: ${paths.toSorted().join()}`);
  const found = contents.map(({ paths, source, outcome, issues }) => {
    const each = issues.map(({ ruleCode, severity, status }) => `${ruleCode} ${severity} ${status}`);
    return [paths.join(), source, outcome, ...each.toSorted()].join(' ');
  });
  return [...stops, ...found].toSorted();
}

function hasCritical({ issues }: ReportJson['contents'][number]): boolean {
  return issues.some(({ severity, status }) => severity === 'CRITICAL' && status === 'OPEN');
}
