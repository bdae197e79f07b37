import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { writeReports } from '../../src/publish/report-folder.ts';
import { png } from '../harness/media.ts';
import { makeWorkspace } from '../harness/workspace.ts';
import { anAsset, anIssue, aReport } from '../report/fixtures.ts';

it('the page shows a file from the first of three paths that has its bytes', async () => {
  const bytes = png('poster');
  await using workspace = await makeWorkspace({ 'pointer.png': 'version https://git-lfs', 'copy.png': bytes });
  const asset = anAsset({
    paths: ['pointer.png', 'gone.png', 'copy.png'],
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    mime: 'image/png',
    category: 'image',
    issues: [anIssue()],
  });
  const folder = path.join(workspace.path, 'reports');
  await writeReports(aReport({ assets: [asset] }), {
    folder,
    searchRoot: workspace.path,
    workspace: workspace.path,
  });
  expect(await readFile(path.join(folder, 'report.html'), 'utf8')).toContain(bytes.toString('base64'));
});
