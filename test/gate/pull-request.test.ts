import { expect } from 'vitest';
import { it } from '../harness/fixtures.ts';
import type { ModelPull } from '../harness/github-model.ts';
import { images, png } from '../harness/media.ts';

const [MAIN, HEAD] = ['1'.repeat(40), '2'.repeat(40)];
const WAIVER = { rule: 'AD-18', path: 'waived.png', owner: 'legal', reason: 'agreed', expires: '2999-12-31' };
const INPUTS = { 'fail-on-issues': 'new', 'waivers-file': 'waivers.yml', comment: 'always' };

function finding(match: string, ruleCode: string) {
  return { match, issues: [{ severity: 'CRITICAL', ruleCode }] };
}

it('a pull request stops for what it adds, not for what is known or waived, until its base changes', async ({
  startRepository,
  makeFolder,
}) => {
  const pull = { headSha: HEAD, headRef: 'feature', baseRef: 'main' };
  const pulls: Record<number, ModelPull> = { 2: pull };
  const contents = { [`${MAIN}:waivers.yml`]: JSON.stringify([WAIVER]) };
  const scenario = { files: [finding('old-', 'AD-17'), finding('waived-', 'AD-18'), finding('bad-', 'AD-19')] };
  const world = await startRepository({ scenario, model: { pulls, contents } });
  const onMain = await makeFolder(images('old', 'hero'));
  const pushed = await world.push({ branch: 'main', commit: MAIN, workspace: onMain });
  expect(pushed.outputs, pushed.log).toMatchObject({ verdict: 'fail', 'files-submitted': '2' });

  const run = { branch: 'feature', base: MAIN, commit: HEAD };
  const files = { ...images('old', 'waived'), 'hero.png': png('changed'), 'waivers.yml': '[]', 'old.ai': '%PDF-1.7' };
  const workspace = await makeFolder(files);
  const opened = await world.pull({ ...run, workspace, inputs: INPUTS });
  expect(opened.outputs, opened.log).toMatchObject({ verdict: 'pass', 'files-reused': '1', 'new-issue-count': '0' });
  expect(opened.sent).toEqual(['hero.png', 'waived.png']);
  const creation = opened.requests.find(({ endpoint }) => endpoint === 'submissions/create');
  expect(JSON.stringify(creation?.json)).toContain(`"previousSubmissionId":"${pushed.outputs['submission-id']}"`);
  expect(world.github.comments.map(({ body }) => body)).toEqual([expect.stringContaining('PASS')]);

  const changed = ['bad.png', 'waived.png'].map((filename) => ({ status: 'added', filename }));
  pulls[2] = { ...pull, files: changed };
  const added = await makeFolder({ ...files, ...images('bad') });
  const failing = await world.pull({ ...run, workspace: added, inputs: { ...INPUTS, 'only-changed': 'true' } });
  expect(failing.outputs, failing.log).toMatchObject({ verdict: 'fail', 'files-matched': '2', 'files-reused': '1' });
  expect(failing.summary).toMatch(/\/blob\/[0-9a-f]+\/bad\.png"><code>bad\.png/);
  expect(world.github.comments.map(({ body }) => body)).toEqual([expect.stringMatching(/FAIL.*bad\.png/)]);

  pulls[2] = { ...pull, baseRef: 'staging' };
  for (const inputs of [{ 'waivers-file': 'waivers.yml' }, { 'fail-on-issues': 'new' }]) {
    const moved = await world.pull({ ...run, workspace, inputs });
    expect(moved.outputs, moved.log).toMatchObject({ verdict: 'error', reason: 'github', 'files-submitted': '0' });
    expect(moved.readableSummary).toContain('was changed from main to staging');
  }
});
