import { annotations } from '../../src/report/annotations.ts';
import { failureLine } from '../../src/report/phrases.ts';
import type { ReportedCause } from '../../src/report/report.ts';
import { aCause, aContent, anIssue, aReport } from '../builders/reports.ts';
import { type GitHubModel, type ModelResponse, ok, type Route } from '../harness/github-model.ts';

/** The annotations of a gate as GitHub keeps them. The line that fails the step has no title. */
function printedBy(...causes: readonly ReportedCause[]): readonly object[] {
  const report = aReport({ contents: [aContent({ issues: [anIssue()] })], causes });
  return [...annotations(report, { error: 0, warning: 0, notice: 0 }), { title: '', message: failureLine(report) }];
}

/** The annotations of failed runs, by number of the pull request. The last run failed before the gate. */
const FAILED: Readonly<Record<string, readonly object[]>> = {
  7: printedBy(),
  8: printedBy(aCause({ message: 'The service could not analyse it.' })),
  9: [],
};

function record(list: string[], item: unknown): ModelResponse {
  list.push(String(item));
  return ok({});
}

/** The requests of scripts in the examples. A pull request, its run and the run's job have the same number. */
export function scriptApi(pulls: NonNullable<GitHubModel['pulls']>, annotationsOf = FAILED) {
  const statuses: string[] = [];
  const reruns: string[] = [];
  const routes: readonly Route[] = [
    {
      on: /^GET pulls$/,
      needs: ['pull-requests', 'read'],
      respond: ({ request: { query } }) => {
        const open = Object.entries(pulls).filter(([, { mergedAt }]) => !mergedAt);
        const listed = open.map(([number, { headSha, headRef = '', headLabel, headRepositoryId }]) => ({
          number: Number(number),
          head: { sha: headSha, label: headLabel ?? `acme:${headRef}`, repo: { id: headRepositoryId ?? 4711 } },
        }));
        return ok(listed.filter(({ head }) => [undefined, head.label].includes(query['head'])));
      },
    },
    {
      on: /^POST statuses\/([0-9a-f]{40})$/,
      needs: ['statuses', 'write'],
      respond: ({ request: { body } }) => record(statuses, Object(body).state),
    },
    {
      on: /^GET actions\/workflows\/media\.yml\/runs$/,
      needs: ['actions', 'read'],
      respond: ({ request: { query } }) => {
        const [number] = Object.entries(pulls).find(([, { headSha }]) => headSha === query['head_sha']) ?? [];
        return ok({ workflow_runs: [{ id: Number(number), conclusion: 'failure' }] });
      },
    },
    {
      on: /^GET actions\/runs\/(\d+)\/jobs$/,
      needs: ['actions', 'read'],
      respond: (_, id) => ok({ total_count: 1, jobs: [{ id: Number(id), conclusion: 'failure' }] }),
    },
    {
      on: /^GET check-runs\/(\d+)\/annotations$/,
      needs: ['checks', 'read'],
      respond: (_, id = '') => ok(annotationsOf[id] ?? []),
    },
    {
      on: /^POST actions\/runs\/(\d+)\/rerun-failed-jobs$/,
      needs: ['actions', 'write'],
      respond: (_, id) => record(reruns, id),
    },
  ];
  return { routes, effects: { statuses, reruns } };
}
