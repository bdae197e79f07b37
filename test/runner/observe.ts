import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ActOutputs, ActRun } from './act.ts';
import type { ScriptEffects } from './script-api.ts';

/** `media success; package shop failure` */
export function formatJobs({ jobs }: ActRun): string {
  return jobs
    .map(({ job, leg, result }) => [job, valueOf(leg), result].filter(Boolean).join(' '))
    .toSorted()
    .join('; ');
}

/** `shop: fail (issues), 1 sent, 2 reused` for each gate. Zeros are left out. */
export function formatGates(run: ActRun): string {
  return gatesOf(run)
    .map(({ leg, values: { verdict, reason, 'files-submitted': sent, 'files-reused': reused } }) => {
      const front = leg && `${valueOf(leg)}: `;
      const counts = [`${sent} sent`, `${reused} reused`].filter((count) => !count.startsWith('0 '));
      return [`${front}${verdict}${reason && ` (${reason})`}`, ...counts].join(', ');
    })
    .toSorted()
    .join('; ');
}

/** The steps that were gates, by their outputs. */
export function gatesOf({ outputs }: ActRun): readonly ActOutputs[] {
  return outputs.filter(({ values }) => values['verdict'] !== undefined && values['files-submitted'] !== undefined);
}

function valueOf(leg: string): string {
  return leg.replace(/^\w+=/, '');
}

/** What other people's actions would have done. */
export async function formatOtherActions(records: string, { statuses, reruns }: ScriptEffects): Promise<string> {
  const [sarif, attested] = ['uploaded.sarif', 'attested'].map((name) => path.join(records, name));
  const parts: string[] = [];
  if (sarif && existsSync(sarif)) {
    const { runs }: { runs: { results: unknown[] }[] } = JSON.parse(await readFile(sarif, 'utf8'));
    parts.push(`SARIF with ${runs.flatMap(({ results }) => results).length} result`);
  }
  if (attested && existsSync(attested)) {
    parts.push(`attested so far: ${(await readFile(attested, 'utf8')).trim().split('\n').length} files`);
  }
  if (statuses.length > 0) parts.push(`status ${statuses.join(', then ')}`);
  if (reruns.length > 0) parts.push(`re-run of ${reruns.join()}`);
  return parts.join('; ');
}
