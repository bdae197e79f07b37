/**
 * What most actions do until their first request: import the toolkit as a whole, read an input, ask GitHub. To be compared
 * with ours; `start.ts` bundles it as ours is bundled, so that only what is imported makes the difference.
 */
import artifact from '@actions/artifact';
import * as core from '@actions/core';
import { getOctokit } from '@actions/github';

const octokit = getOctokit('a-token', { baseUrl: core.getInput('base-url') });
core.debug(typeof artifact);
void octokit.request('GET /');
