import { createHash } from 'node:crypto';
import { readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { readContext } from '../../src/github/context.ts';
import { artifactNameOf, writeReports } from '../../src/publish/report-folder.ts';
import { aContent, anIssue, aReport } from '../builders/reports.ts';
import { it } from '../harness/fixtures.ts';
import { png } from '../harness/media.ts';

it.for([
  ['shows a file', 'a.png', true],
  ['does not show a file that changed since', 'b.png', false],
  ['does not show a file that is missing', 'missing.png', false],
  ['does not show a file that became a link', 'link.png', false],
] as const)('the page %s', async ([, file, isShown], { makeFolder }) => {
  const bytes = png('poster');
  const workspace = await makeFolder({ 'a.png': bytes, 'b.png': png('postes') });
  await symlink('a.png', path.join(workspace, 'link.png'));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const content = aContent({ paths: [file], size: bytes.length, sha256, mime: 'image/png', issues: [anIssue()] });
  const folder = await writeReports(aReport({ contents: [content] }), { searchRoot: workspace, temp: workspace });
  const page = await readFile(path.join(folder, 'report.html'), 'utf8');
  expect(page.includes(`data:image/png;base64,${bytes.toString('base64')}`)).toBe(isShown);
  expect(page.includes('data:image/png')).toBe(isShown);
});

const inputs = { name: 'gate', matrix: '' };
const context = { ...readContext({}), workspace: '/checkout' };

it('the artifact has the name of the gate, another one in each attempt', () => {
  const name = artifactNameOf(inputs, context);
  expect(name).toMatch(/^gate-report-[0-9a-f]{8}-1$/);
  expect(artifactNameOf(inputs, { ...context, runAttempt: 2 })).not.toBe(name);
});
