import { describe, expect } from 'vitest';
import type { Scenario } from '../../emulator/emulator.ts';
import { it } from '../harness/fixtures.ts';
import { assetsIn, startFront } from '../harness/front.ts';
import { images, png } from '../harness/media.ts';

const HERO: Scenario = { files: [{ match: 'hero-*', issues: [{ severity: 'CRITICAL', ruleCode: 'AD-17' }] }] };

describe.concurrent('a first run, a change, a dismissal', () => {
  it('sends each content once, and passes after an issue was dismissed in the service', async ({ startSeries }) => {
    const series = await startSeries({ 'hero.png': png('1'), 'logo.png': png('1b') }, { scenario: HERO });
    const first = await series.run();
    expect(first.sent).toEqual(['hero.png', 'logo.png']);
    expect(first.outputs).toMatchObject({ verdict: 'fail', 'files-submitted': '2', 'files-reused': '0' });
    expect(first.exitCode).toBe(1);
    const [submission] = series.service.submissions;

    await series.write({ 'logo.png': png('2') });
    const second = await series.run({ env: { GITHUB_REF: 'refs/heads/feature', GITHUB_RUN_ID: '43' } });
    expect(second.count('uploads/direct')).toBe(1);
    expect(second.sent).toEqual(['logo.png']);
    expect(second.requests.find(({ endpoint }) => endpoint === 'submissions/create')?.json).toMatchObject({
      assets: [{ previousSubmissionId: submission?.submissionId }],
    });
    expect(second.outputs).toMatchObject({
      verdict: 'fail',
      'files-submitted': '1',
      'files-reused': '1',
      'critical-count': '1',
    });
    expect(second.exitCode).toBe(1);
    expect(second.log).toContain('1 analysed, 1 reused, 0 paid twice, verdict fail');

    series.service.setIssueStatus({ ruleCode: 'AD-17' }, 'DISMISSED');
    const third = await series.run();
    expect(third.outputs).toMatchObject({
      verdict: 'pass',
      'submission-id': '',
      'submission-status': 'reused',
      'files-reused': '2',
    });
    expect(third.exitCode).toBe(0);
    expect(third.requests.filter(({ method }) => method === 'POST')).toEqual([]);

    series.service.setIssueStatus({ ruleCode: 'AD-17' }, 'OPEN');
    expect((await series.run()).exitCode).toBe(1);
    expect(series.service.submissions).toHaveLength(2);
  });
});

describe.concurrent('many unchanged files', () => {
  const FILES = 40;
  it('need one read for each earlier submission and two for each asset with issues', async ({ startSeries }) => {
    const files = Object.fromEntries(
      Array.from({ length: FILES }, (_, index) => [`${name(index)}.png`, png(`${index}`)]),
    );
    const scenario: Scenario = {
      files: [
        { match: `${name(3)}-*`, issues: [{ severity: 'MINOR' }] },
        { match: `${name(30)}-*`, issues: [{ severity: 'MINOR' }, { severity: 'INFO', ruleCode: 'X' }] },
      ],
    };
    const { [`${name(FILES - 1)}.png`]: last, ...most } = files;
    const series = await startSeries(most, { scenario });
    const inputs = { 'max-files': `${FILES}`, 'upload-concurrency': '16' };
    expect((await series.run({ inputs })).outputs).toMatchObject({
      verdict: 'pass',
      'files-submitted': `${FILES - 1}`,
    });
    await series.write({ [`${name(FILES - 1)}.png`]: last });
    expect((await series.run({ inputs })).outputs).toMatchObject({
      verdict: 'pass',
      'files-submitted': '1',
      'files-reused': `${FILES - 1}`,
    });

    const third = await series.run({ inputs });
    expect(third.outputs).toMatchObject({
      verdict: 'pass',
      'files-reused': `${FILES}`,
      'minor-count': '2',
      'info-count': '1',
    });
    expect(
      Object.fromEntries(
        Map.groupBy(third.requests, ({ endpoint }) => endpoint)
          .entries()
          .map(([key, all]) => [key, all.length]),
      ),
    ).toEqual({
      'submissions/read': 2,
      'assets/read': 2,
      'assets/issues': 2,
    });
    const readTwice = third.requests.map(({ path }) => path);
    expect(new Set(readTwice).size).toBe(readTwice.length);
  });
});

describe.concurrent('an unchanged library at a service that allows 60 reads a minute', () => {
  const FILES = 80;
  /** One of the 60 reads is that of the submission; an asset needs two. */
  const READ = 29;
  const MINOR = Array.from({ length: 5 }, (_, index) => ({ severity: 'MINOR', ruleCode: `M-${index}` }));
  /** No minute passes at the service during a run, so that exactly 60 reads are answered. */
  const LIMITED: Scenario = { rateLimits: { submission_read: { limit: 60, perSeconds: 3600, retryAfter: 60 } } };
  const files = Object.fromEntries(
    Array.from({ length: FILES }, (_, index) => [`${name(index)}.png`, png(`${index}`)]),
  );
  const inputs = { 'upload-concurrency': '16' };

  it('reads first what can change the verdict, and shows the rest as last known', async ({ startSeries }) => {
    const scenario: Scenario = {
      files: [{ match: `${name(FILES - 1)}-*`, issues: [{ severity: 'CRITICAL', ruleCode: 'AD-17' }] }],
      default: { issues: MINOR },
    };
    const series = await startSeries(files, { scenario });
    expect((await series.run({ inputs })).outputs).toMatchObject({ verdict: 'fail', 'critical-count': '1' });
    series.service.setIssueStatus({ ruleCode: 'AD-17' }, 'DISMISSED');

    series.service.load(LIMITED);
    const second = await series.run({ inputs });
    expect(second.outputs).toMatchObject({
      verdict: 'pass',
      'files-reused': `${FILES}`,
      'minor-count': `${5 * (FILES - 1)}`,
    });
    const { '429': refused = [], '200': read = [] } = Object.groupBy(second.requests, ({ status }) => `${status}`);
    expect(read).toHaveLength(60);
    expect(refused.length).toBeLessThanOrEqual(8);
    expect(second.count('assets/topics')).toBe(0);
    const today = new Date().toISOString().slice(0, 10);
    for (const text of [second.log, second.summary]) {
      expect(Number(/The issues of (\d+) files were not read again/.exec(text)?.[1])).toBeGreaterThanOrEqual(
        FILES - READ,
      );
      expect(text).toContain(`last known, the oldest from ${today}`);
    }
    expect(second.summary.match(/were not read again/g)).toHaveLength(1);
  });

  it('always reads an asset whose issue count has changed', async ({ startSeries }) => {
    const series = await startSeries(files, { scenario: { default: { issues: MINOR } } });
    await series.run({ inputs });
    const asset = series.service.submissions[0]?.assets.find(({ filename }) => filename.startsWith(name(FILES - 1)));
    const [issue] = asset?.issues ?? [];
    if (asset && issue) {
      asset.issues = [...asset.issues, { ...issue, id: '00000000-0000-4000-8000-000000000000', severity: 'CRITICAL' }];
      asset.issueCount = asset.issues.length;
    }
    series.service.load(LIMITED);
    const second = await series.run({ inputs });
    expect(second.outputs).toMatchObject({ verdict: 'fail', 'critical-count': '1' });
  });
});

describe.concurrent('known contents are not sent again', () => {
  it('if they were renamed, copied, reverted, or removed and restored', async ({ startSeries }) => {
    const series = await startSeries(images('a', 'b'));
    await series.run();
    const changes = [
      { 'a.png': undefined, 'moved/a.png': png('a'), 'copy.png': png('b') },
      { 'b.png': png('a') },
      { 'b.png': png('b'), 'moved/a.png': undefined },
      { 'a.png': png('a') },
    ];
    for (const change of changes) {
      await series.write(change);
      const run = await series.run();
      expect(run.outputs).toMatchObject({ verdict: 'pass', 'files-submitted': '0' });
      expect(run.requests.every(({ method }) => method === 'GET')).toBe(true);
    }
    expect(series.service.submissions).toHaveLength(1);
  });
});

describe.concurrent('which analyses are reused', () => {
  it('reuse-days: younger is reused, older is sent again as the next version', async ({ startSeries }) => {
    const series = await startSeries({ 'a.png': png('a') });
    await series.run();
    await series.changeState(({ binding, document }) => ({
      binding,
      document: {
        ...document,
        contents: document.contents.map((content) => ({ ...content, analysedAt: daysBefore(10) })),
      },
    }));
    expect((await series.run({ inputs: { 'reuse-days': '11' } })).sent).toEqual([]);
    const late = await series.run({ inputs: { 'reuse-days': '10' } });
    expect(late.sent).toEqual(['a.png']);
    expect(late.summary).toContain('earlier result too old');
    expect(late.log).toContain('1 analysed, 0 reused, 1 paid twice, verdict pass');
    expect(series.service.submissions[1]?.assets).toMatchObject([{ versionNumber: 2 }]);
    // Its analysis is new again.
    expect((await series.run({ inputs: { 'reuse-days': '10' } })).sent).toEqual([]);
  });

  it('reuse-days: 0 analyses everything every time', async ({ startSeries }) => {
    const series = await startSeries({ 'a.png': png('a') });
    for (const count of [1, 2]) {
      // On a fast clock the first run would end after the second one begins.
      const run = await series.run({ inputs: { 'reuse-days': '0' }, clockFactor: 1 });
      expect(run.sent, run.log).toEqual(['a.png']);
      expect(series.service.submissions).toHaveLength(count);
    }
  });

  it('other sidekicks need another analysis, and going back to the first ones sends nothing', async ({
    startSeries,
  }) => {
    const [one, two] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];
    const series = await startSeries({ 'a.png': png('a') });
    expect((await series.run({ inputs: { 'sidekick-ids': one } })).sent).toEqual(['a.png']);
    const other = await series.run({ inputs: { 'sidekick-ids': `${one},${two}` } });
    expect(other.sent).toEqual(['a.png']);
    expect(other.summary).toContain('sidekicks changed');
    expect((await series.run({ inputs: { 'sidekick-ids': `${two}\n${one.toUpperCase()}` } })).sent).toEqual([]);
    expect((await series.run({ inputs: { 'sidekick-ids': one } })).sent).toEqual([]);
  });

  it('sandbox and live never share state, even with the same state-key', async ({ startSeries, emulator }) => {
    const series = await startSeries({ 'a.png': png('a') });
    const sandbox = emulator.workspace({ mode: 'sandbox' });
    const inputs = { 'state-key': 'a secret of our own' };
    expect((await series.run({ inputs: { ...inputs, 'api-key': sandbox.key } })).outputs).toMatchObject({
      mode: 'sandbox',
    });
    const live = await series.run({ inputs });
    expect(live.sent).toEqual(['a.png']);
    expect(live.log).toContain('belongs to another repository, gate');
  });

  it('a sandbox run also reuses, and reads no results, because there are none', async ({ startSeries }) => {
    const series = await startSeries(images('a', 'b'), { mode: 'sandbox' });
    await series.run();
    const second = await series.run();
    expect(second.outputs).toMatchObject({ verdict: 'pass', 'files-reused': '2' });
    expect(second.requests.map(({ endpoint }) => endpoint)).toEqual(['submissions/read']);
  });
});

describe.concurrent('an analysis that the submission never counts', () => {
  it('is not judged while it is running again, and nothing is sent', async ({ startSeries, emulator }) => {
    const series = await startSeries({ 'a.png': png('a') });
    await series.run();
    await using front = await startFront(emulator.baseUrl, {
      edit: (_, json) => {
        if ('progressPercent' in json)
          return { ...json, assets: assetsIn(json).map((each) => ({ ...each, issueCount: null })) };
        return 'filename' in json ? { ...json, status: 'processing', issueCount: null, issues: [] } : undefined;
      },
    });
    const second = await series.run({ inputs: { 'base-url': front.url } });
    expect(second.outputs).toMatchObject({ verdict: 'error', reason: 'results', 'files-submitted': '0' });
    expect((await series.run()).outputs).toMatchObject({ verdict: 'pass', 'files-reused': '1' });
  });
});

describe.concurrent('a type that detection knows by its bytes alone', () => {
  it('a camera’s TIFF that is pushed three times is billed once, and awaited if it was not finished', async ({
    startSeries,
  }) => {
    const scenario: Scenario = { default: { reads: 1_000_000 } };
    const series = await startSeries({ 'photo.tif': cameraTiff() }, { scenario });
    const first = await series.run({ clockFactor: 60, inputs: { 'wait-timeout-minutes': '1' } });
    expect(first.outputs).toMatchObject({ verdict: 'error', reason: 'timeout', 'files-submitted': '1' });
    for (const { pending } of series.service.submissions.flatMap(({ assets }) => assets))
      if (pending) pending.readsLeft = 0;
    expect((await series.run()).outputs).toMatchObject({ verdict: 'pass', 'files-submitted': '0' });
    expect((await series.run()).outputs).toMatchObject({ verdict: 'pass', 'files-reused': '1' });
    expect(series.service.submissions).toHaveLength(1);
  });
});

/** Named `.tif`, with the tag that makes it a DNG. */
function cameraTiff(): Buffer {
  const header = Buffer.from('49492a0008000000', 'hex');
  // One entry: the tag DNGVersion, four bytes, 1.4.0.0.
  const directory = Buffer.from('010012c60100040000000104000000000000', 'hex');
  return Buffer.concat([header, directory, Buffer.alloc(64)]);
}

describe.concurrent('an analysis that is gone at the service', () => {
  it('is sent again, and the log says why', async ({ startSeries }) => {
    const series = await startSeries({ 'a.png': png('a') }, { scenario: HERO });
    await series.run();
    await series.write({ 'b.png': png('b') });
    await series.run();
    series.service.forget(series.service.submissions[0]?.submissionId ?? '');
    const third = await series.run();
    expect(third.sent).toEqual(['a.png']);
    expect(third.outputs).toMatchObject({ verdict: 'pass', 'files-submitted': '1', 'files-reused': '1' });
    expect(third.warnings).toContain('1 file will be analysed and billed again (no longer at the service: a.png)');
    const creation = third.requests.find(({ endpoint }) => endpoint === 'submissions/create');
    expect(creation?.status).toBe(201);
    expect(JSON.stringify(creation?.json)).not.toContain('previousSubmissionId');
    expect((await series.run()).sent).toEqual([]);
  });

  it('an earlier version that is missing only once keeps its link', async ({ startSeries }) => {
    const series = await startSeries({ 'a.png': png('a') });
    await series.run();
    await series.write({ 'b.png': png('b') });
    await series.run();
    const [gone, kept] = series.service.submissions.map(({ submissionId }) => submissionId);
    series.service.forget(gone ?? '');
    series.service.load({ faults: [{ on: 'submissions/read', match: 'b-*', times: 1, html: 404 }] });
    await series.write({ 'a.png': png('a2'), 'b.png': png('b2') });
    const third = await series.run();
    expect(third.outputs).toMatchObject({ verdict: 'pass', 'files-submitted': '2' });
    const creations = third.requests.filter(({ endpoint }) => endpoint === 'submissions/create');
    expect(creations.map(({ status }) => status)).toEqual([404, 201]);
    expect(JSON.stringify(creations[1]?.json)).toContain(`"previousSubmissionId":"${kept}"`);
    expect(JSON.stringify(creations[1]?.json)).not.toContain(gone);
  });
});

function daysBefore(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString();
}

function name(index: number): string {
  return `f${String(index).padStart(4, '0')}`;
}
