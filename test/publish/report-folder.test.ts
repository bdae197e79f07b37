import { createHash } from 'node:crypto';
import { readdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { readContext } from '../../src/github/context.ts';
import { claimReportTarget, writeReports } from '../../src/publish/report-folder.ts';
import { aContent, anIssue, aReport } from '../builders/reports.ts';
import { it } from '../harness/fixtures.ts';
import { png } from '../harness/media.ts';

it.for([
  ['shows a file', 'a.png', true],
  ['does not show a file that changed since', 'b.png', false],
  ['does not show a file that is missing', 'missing.png', false],
] as const)('the page %s', async ([, file, isShown], { makeFolder }) => {
  const bytes = png('poster');
  const workspace = await makeFolder({ 'a.png': bytes, 'b.png': png('postes') });
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const content = aContent({ paths: [file], size: bytes.length, sha256, mime: 'image/png', issues: [anIssue()] });
  const folder = path.join(workspace, 'reports');
  await writeReports(aReport({ contents: [content] }), folder, { searchRoot: workspace, workspace, temps: [] });
  const page = await readFile(path.join(folder, 'report.html'), 'utf8');
  expect(page.includes(bytes.toString('base64'))).toBe(isShown);
});

it('through a link not even a folder is made', async ({ makeFolder }) => {
  const [workspace, outside] = [await makeFolder(), await makeFolder()];
  await symlink(outside, path.join(workspace, 'link'));
  const folder = path.join(workspace, 'link/reports');
  const writing = writeReports(aReport(), folder, { searchRoot: workspace, workspace, temps: [] });
  await expect(writing).rejects.toThrow('symbolic link');
  expect(await readdir(outside)).toEqual([]);
});

const inputs = { name: 'gate', matrix: '', reportDir: undefined, reportArtifact: true };
const context = { ...readContext({}), workspace: '/checkout', temps: ['/nowhere'] };

it.for([
  ['to an artifact', {}, {}, true, true],
  ['to no artifact if that is turned off', { reportArtifact: false }, {}, true, false],
  ['to no artifact on GitHub Enterprise Server', {}, { isGhes: true }, true, false],
  ['to no artifact outside a runner', {}, {}, false, false],
] as const)('the report goes %s', ([, input, place, hasArtifacts, isUploaded]) => {
  const { artifact } = claimReportTarget({ ...inputs, ...input }, { ...context, ...place }, hasArtifacts);
  expect(artifact !== undefined).toBe(isUploaded);
});

it('`report-dir` is relative to the checkout; the artifact has the name of the gate and the id of the step', () => {
  const target = claimReportTarget({ ...inputs, reportDir: 'out' }, context, true);
  const artifact = expect.stringMatching(/^gate-report-/);
  expect(target).toEqual({ folder: path.resolve('/checkout/out'), artifact });
  // `stepId` tells the steps of a workflow apart.
  const other = claimReportTarget(inputs, { ...context, step: 'second' }, true);
  expect(other.artifact).not.toBe(target.artifact);
});

const claim = (temp: string) => claimReportTarget({ ...inputs, reportDir: 'out' }, { ...context, temps: [temp] }, true);

it('two gates of a job, even with the variables of one step, write beside each other', async ({ makeFolder }) => {
  const [first, second] = [await makeFolder(), await makeFolder()];
  // A report of another job on the same machine is replaced.
  const claimed = [first, first, second].map(claim);
  expect(claimed.map(({ folder }) => path.basename(folder ?? ''))).toEqual(['out', 'out-2', 'out']);
  expect(new Set(claimed.map(({ artifact }) => artifact)).size).toBe(2);
});
