import type { ScriptRoute } from './github.ts';
import type { HostedRepository } from './hosted-repository.ts';

/** What scripts have changed through the API, in order. */
export interface ScriptEffects {
  readonly statuses: string[];
  readonly reruns: string[];
}

/** As much of the REST API as the scripts in the examples use. */
export function addScriptApi({ github }: HostedRepository): ScriptEffects {
  const effects: ScriptEffects = { statuses: [], reruns: [] };
  const routes: readonly ScriptRoute[] = [
    {
      on: /^GET pulls$/,
      needs: ['pull-requests', 'read'],
      answer: ({ query }) =>
        Object.entries(github.model.pulls)
          .filter(([, { mergedAt }]) => !mergedAt)
          .map(([number, { headSha, headRef = '', headLabel, headRepositoryId }]) => ({
            number: Number(number),
            head: { sha: headSha, label: headLabel ?? `acme:${headRef}`, repo: { id: headRepositoryId ?? 4711 } },
          }))
          .filter(({ head }) => [null, head.label].includes(query.get('head'))),
    },
    {
      on: /^POST statuses\/([0-9a-f]{40})$/,
      needs: ['statuses', 'write'],
      answer: ({ body }) => {
        effects.statuses.push(String(Object(body).state));
        return {};
      },
    },
    {
      on: /^GET actions\/workflows\/media\.yml\/runs$/,
      needs: ['actions', 'read'],
      answer: () => ({ total_count: 1, workflow_runs: [{ id: 7, conclusion: 'failure' }] }),
    },
    {
      on: /^GET actions\/runs\/7\/jobs$/,
      needs: ['actions', 'read'],
      answer: () => ({ total_count: 1, jobs: [{ id: 70, conclusion: 'failure' }] }),
    },
    {
      on: /^GET check-runs\/70\/annotations$/,
      needs: ['checks', 'read'],
      answer: () => [{ title: '', message: 'FAIL: 1 CRITICAL issue in 1 of 3 files' }],
    },
    {
      on: /^POST actions\/runs\/(\d+)\/rerun-failed-jobs$/,
      needs: ['actions', 'write'],
      answer: ({ parts }) => {
        effects.reruns.push(parts.join());
        return {};
      },
    },
  ];
  github.routes.push(...routes);
  return effects;
}
