import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { Scenario } from '../../emulator/emulator.ts';
import { parseMarkdown } from '../../scripts/pictures/github-page.ts';
import type { Report } from '../../src/report/report.ts';
import { it as base, ONE_FILE } from '../harness/fixtures.ts';
import { png } from '../harness/media.ts';
import { runWithSecrets, type ServiceRun } from '../harness/run-action.ts';
import { secretsOf } from '../harness/written.ts';
import { anyText } from '../report/arbitrary.ts';
import { AUTOLINKS, look } from '../report/tree.ts';

/** One run has so many hostile files that it is enough. */
const FILES = 40;
const SEED = 7_019;

/** Any name that a disk accepts for an image. */
const anyName = anyText.map((text) => {
  // U+FFFD in a name stands for bytes that are not UTF-8.
  const letters = Array.from(text.toWellFormed().replaceAll(/[/\0\ufffd]/g, '_'));
  while (Buffer.byteLength(letters.join('')) > 230) letters.pop();
  return `${letters.join('')}.png`;
});

/** Paths of files in which the folder may be as hostile as the file name. */
const anyPath = fc
  .tuple(fc.option(anyName, { nil: undefined }), anyName)
  .map(([folder, name]) => (folder === undefined ? name : `${folder.slice(0, -'.png'.length) || '_'}_/${name}`));

/** An issue with hostile text in every field. */
const anyIssue = fc.record({
  severity: fc.oneof(fc.constantFrom('CRITICAL', 'MAJOR', 'MINOR', 'INFO'), anyText),
  status: fc.oneof(fc.constantFrom('OPEN', 'DISMISSED'), anyText),
  ruleCode: anyText,
  summary: anyText,
  severityReasoning: anyText,
  severityReasoningHeadline: anyText,
  precedents: fc.array(fc.record({ url: anyText, title: anyText, decision: anyText, date: anyText }), { maxLength: 2 }),
});

/** The workflow commands that the action uses. */
const OUR_COMMANDS = ['add-mask', 'debug', 'endgroup', 'error', 'group', 'notice', 'save-state', 'warning'];

interface Attack {
  readonly files: Readonly<Record<string, Uint8Array | string>>;
  readonly scenario?: Scenario;
  readonly inputs?: Readonly<Record<string, string>>;
}

const it = base.extend(
  'attack',
  ({ emulator, makeFolder }) =>
    async ({ files, scenario = {}, inputs = {} }: Attack): Promise<ServiceRun> => {
      const folder = await makeFolder({ env: '', path: '' });
      const env = { GITHUB_ENV: path.join(folder, 'env'), GITHUB_PATH: path.join(folder, 'path') };
      const service = emulator.workspace({ scenario });
      const workspace = await makeFolder(files);
      const run = await runWithSecrets({ workspace, service, env, inputs, clockFactor: 40 });
      // Through these files, a step changes later steps.
      const texts = Object.values(env).map((file) => readFileSync(file, 'utf8'));
      expectUnharmed(run, texts.join(''));
      return run;
    },
);

/**
 * Finds commands as the runner does: it trims lines, ends them at CR as well, and in a line without a command of the
 * new form looks for one of the old form anywhere.
 */
function commandsIn(log: string): readonly string[] {
  return log
    .split(/\r\n|[\r\n]/)
    .map((line) => /^\s*::([^ :]+)[^]*?::/.exec(line)?.[1] ?? /##\[([^ \]]+)/.exec(line)?.[1])
    .filter((command) => command !== undefined);
}

function expectUnharmed(run: ServiceRun, environment: string): void {
  expect(environment).toBe('');
  expect(commandsIn(run.log).filter((command) => !OUR_COMMANDS.includes(command))).toEqual([]);
  expect(run.masks.toSorted()).toEqual(secretsOf(run.inputs).toSorted());
  for (const match of run.log.matchAll(/^::save-state name=([^:]*)::/gm)) expect(match[1]).toBe('pending-upload');
  // Every report is well-formed, and whatever came from outside is plain text in it.
  const { written, summary } = run;
  const seen = look(parseMarkdown(summary));
  expect(seen.elements.filter((name) => ['script', 'img', 'iframe', 'svg', 'style', 'h1'].includes(name))).toEqual([]);
  for (const autolink of AUTOLINKS) expect(seen.prose.filter((text) => autolink.test(text))).toEqual([]);
  for (const [name, text] of written) {
    if (/\.(json|sarif)$/.test(name)) JSON.parse(text);
    if (name.endsWith('.html')) expect(text).not.toMatch(/<img src=x|<script>(alert|globalThis)|href="javascript:/);
  }
}

describe.concurrent('hostile names and texts', () => {
  it('are escaped in every output', async ({ attack }) => {
    const paths = [...new Set(fc.sample(anyPath, { seed: SEED, numRuns: FILES }))];
    const issues = fc.sample(fc.array(anyIssue, { maxLength: 3 }), { seed: SEED, numRuns: FILES });
    const run = await attack({
      files: Object.fromEntries(paths.map((file, index) => [file, png(`${index}`)])),
      scenario: {
        // The first digit of the hash in its name decides which issues a file has.
        files: issues.map((found, index) => ({ match: `-${index.toString(16)}`, issues: found })),
        default: { issues: issues.flat().slice(0, 5) },
      },
      inputs: {
        'issue-url': 'https://service.example/{referenceNumber}?issue={issueId}',
        files: '**/*.png',
      },
    });

    expect(run.outputs['files-matched'], run.log).toBe(String(paths.length));
    const { contents }: Pick<Report, 'contents'> = JSON.parse(run.file('report.json'));
    expect(contents.flatMap((content) => content.paths).toSorted()).toEqual(paths.toSorted());
    const annotated = run.annotations.map(({ file }) => file).filter((file) => file !== undefined);
    expect(annotated.filter((file) => !paths.includes(file))).toEqual([]);
    // The service gets names of harmless characters only.
    const sent = run.service.submissions.flatMap(({ assets }) => assets.map(({ filename }) => filename));
    expect(sent).toHaveLength(paths.length);
    expect(sent.filter((name) => !/^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/.test(name) || name.includes('..'))).toEqual([]);
  });

  it('in error responses of the service are escaped', async ({ attack }) => {
    const texts = fc.sample(anyText, { seed: 1, numRuns: 36 });
    const run = await attack({
      files: ONE_FILE,
      scenario: {
        faults: [
          { on: 'uploads/direct', nth: 1, status: 500, body: { detail: texts[0] } },
          { on: 'uploads/direct', nth: 2, status: 503, body: texts[1] ?? '' },
          { on: 'submissions/create', status: 422, body: { detail: texts.join('\n'), errors: texts } },
        ],
      },
    });
    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'refused' });
  });

  it('in inputs are escaped', async ({ attack }) => {
    const [pattern = '', name = '', severity = '', url = ''] = fc.sample(anyText, { seed: 1, numRuns: 4 });
    const files = `**/*.png\n${pattern}`;
    const inputs = { files, name, 'fail-on-severity': severity, 'issue-url': url, matrix: pattern };
    expect((await attack({ files: ONE_FILE, inputs })).outputs['verdict']).toBe('error');
  });
});
