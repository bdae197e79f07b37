import type { GitHubOptions } from '../../src/github/connect.ts';
import { connect } from '../harness/connect.ts';
import { it as base } from '../harness/fixtures.ts';
import type { GitHubModel } from '../harness/github-model.ts';

export const COMMIT = 'c'.repeat(40);

/** Vitest's `it` with a model of GitHub, and the real client that is connected to it. */
export const it = base.extend(
  'connectTo',
  ({ startGitHub }) =>
    async (model: GitHubModel = {}, options: Partial<GitHubOptions> = {}) => {
      const github = await startGitHub(model);
      return { github, api: connect(github, options) };
    },
);
