import { readdir, readFile } from 'node:fs/promises';
import * as fc from 'fast-check';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findBrowser } from '../../../scripts/find-program.ts';
import { manyFiles, sampleMedia } from '../../../scripts/pictures/many-files.ts';
import { html, link, prose } from '../../../src/report/page/html.ts';
import { type EmbeddedMedia, mediaToEmbed } from '../../../src/report/page/media.ts';
import { renderPage } from '../../../src/report/page/page.ts';
import type { Report, ReportedAsset } from '../../../src/report/report.ts';
import { severityRank } from '../../../src/service/issue.ts';
import { anyReport, anyText } from '../arbitrary.ts';
import { anAsset, anIssue, aReport, HOSTILE_TEXTS } from '../fixtures.ts';
import { failed, notChecked, notJudged, passed } from '../samples.ts';
import { accessibilityProblems, useBrowser } from './browser.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** The 1-pixel image for one path. */
function mediaFor(report: Report, path: string, mime = 'image/png'): ReadonlyMap<string, EmbeddedMedia> {
  const asset = report.assets.find(({ paths }) => paths.includes(path));
  return new Map(asset ? [[asset.sha256, { mime, bytes: PNG }]] : []);
}

describe('the template of the page', () => {
  it('writes any text as text, in an element and in an attribute', () => {
    fc.assert(
      fc.property(anyText, anyText, (text, other) => {
        const { source } = html`<p title="${text}">${other}</p>${[text, [other]]}`;
        const inside = source.replace(/^<p title="([^"<>]*)">([^<>]*)<\/p>([^<>]*)$/s, '');
        expect(inside).toBe('');
      }),
    );
  });

  it('keeps HTML, leaves out nothing and false, and follows only addresses of the web', () => {
    expect(html`${html`<b>${'<'}</b>`}${undefined}${false}${0}`.source).toBe('<b>&lt;</b>0');
    expect(link('javascript:alert(1)', 'x').source).toBe('x');
    expect(link('https://a.example/"x', html`<b>y</b>`).source).toBe('<a href="https://a.example/%22x"><b>y</b></a>');
    expect(prose('`` is none').source).toBe('`` is none');
    expect(prose('set `a` or `<i>`, not `').source).toBe('set <code>a</code> or <code>&lt;i&gt;</code>, not `');
  });

  it('escapes every value: trusted HTML is named in few places', async () => {
    const folder = new URL('../../../src/report/page/', import.meta.url);
    const files = (await readdir(folder)).filter((name) => name.endsWith('.ts'));
    const uses = await Promise.all(
      files.map(
        async (name) =>
          [name, (await readFile(new URL(name, folder), 'utf8')).match(/\btrusted\(/g)?.length ?? 0] as const,
      ),
    );
    expect(Object.fromEntries(uses.filter(([, number]) => number > 0))).toEqual({
      'html.ts': 1,
      'media.ts': 1,
      'page.ts': 3,
    });
  });

  it('has no element from a report', () => {
    const ours = new Set(
      'a article audio b body br button code details dialog div dl dt dd fieldset figure figcaption footer form h1 h2 h3 h4 head header html img input kbd label legend li main meta nav noscript ol p rect section small span summary svg table tbody td th thead title tr ul video wbr'.split(
        ' ',
      ),
    );
    fc.assert(
      fc.property(anyReport, (report) => {
        const page = renderPage(report).replace(/<(style|script)>.*?<\/\1>/gs, '');
        // Every `<` opens one of our elements, with quoted attributes.
        const rest = page.replace(/<\/?([a-z][a-z0-9]*)(?:\s+[a-z-]+(?:="[^"<>]*")?)*\s*\/?>/gi, (tag, name) =>
          ours.has(name) ? '' : tag,
        );
        expect(rest.replace('<!doctype html>', '')).not.toContain('<');
      }),
      { numRuns: 60 },
    );
  });
});

const shown = (path: string, size: number, mime = 'image/png', issues = [anIssue()]): ReportedAsset =>
  anAsset({ paths: [path], size, mime, issues });

describe('media in the page', () => {
  it.each([
    ['all that fit, worst first', [shown('a', 6), shown('b', 6)], ['a', 'b']],
    ['none without an issue', [shown('a', 6, 'image/png', [])], []],
    ['none that a browser cannot show', [shown('a', 6, 'application/pdf'), shown('b', 6, 'text/html')], []],
    ['none over the limit', [shown('a', 19), shown('b', 18)], ['b']],
    ['smaller ones after one that no longer fits', [shown('a', 9), shown('b', 12), shown('c', 3)], ['a', 'c']],
  ])('%s', (_, assets, expected) => {
    expect(mediaToEmbed(assets, 24).map(({ paths }) => paths[0])).toEqual(expected);
  });

  it('take 10 MB at most, and less if there are many issues', () => {
    const films = Array.from({ length: 40 }, (_, index) => shown(`${index}`, 750_000, 'video/mp4'));
    expect(mediaToEmbed(films)).toHaveLength(10);
    const issues = Array.from({ length: 15_000 }, () => anIssue());
    expect(mediaToEmbed([...films, anAsset({ issues })])).toHaveLength(4);
  });
});

describe('the size of the page', () => {
  it('is under 20 MB with 2,000 files, 10,000 issues and all the media that fit, and nothing is left out', () => {
    const report = manyFiles(2_000, 6);
    const assets = report.assets.map((asset) => ({ ...asset, size: 100_000 }));
    const embedded = mediaToEmbed(assets);
    const media = new Map(embedded.map(({ sha256, mime }) => [sha256, { mime, bytes: Buffer.alloc(100_000) }]));
    const page = renderPage({ ...report, assets }, media);
    expect(embedded.length).toBeGreaterThan(30);
    expect(page.match(/<article class="issue [A-Z]/g)?.length).toBe(assets.flatMap(({ issues }) => issues).length);
    expect(Buffer.byteLength(page)).toBeLessThan(20_000_000);
    expect(page).not.toContain('left out of this page');
  });

  it('is under 20 MB whatever the texts are, worst first, and the page says what it leaves out', () => {
    const long = '<"&ä>'.repeat(2_000);
    const assets = Array.from({ length: 300 }, () =>
      anAsset({ issues: [anIssue(), anIssue({ severity: 'INFO', summary: long, reasoning: long })] }),
    );
    const page = renderPage(aReport({ assets }));
    expect(Buffer.byteLength(page)).toBeLessThan(20_000_000);
    expect(page.match(/data-severity="CRITICAL"/g)).toHaveLength(300);
    const info = page.match(/data-severity="INFO"/g)?.length ?? 0;
    expect(page).toContain(`${300 - info} issues, the least severe, are left out of this page; report.json has all.`);
  });

  it('counts what it cuts: paths, problems, precedents, topics, fixed issues, steps and notices', () => {
    const precedent = { url: '', title: 'One', decision: '', date: '' };
    const crowded = anIssue({ precedents: Array.from({ length: 55 }, () => precedent) });
    const cause = { reason: 'service', message: 'A problem.', fix: 'Try again.' } as const;
    const page = renderPage(
      aReport({
        verdict: 'error',
        causes: Array.from({ length: 1_002 }, (_, index) => ({ ...cause, message: `Problem ${index}.` })),
        notices: Array.from({ length: 202 }, () => 'A notice.'),
        nextSteps: Array.from({ length: 24 }, () => 'A step.'),
        assets: [
          anAsset({
            paths: Array.from({ length: 23 }, (_, index) => `copy-${index}.png`),
            issues: [crowded],
            topics: Array.from({ length: 14 }, () => ({ title: 'Claims', issueIds: [crowded.id] })),
            fixed: Array.from({ length: 506 }, () => anIssue()),
          }),
          anAsset({ paths: Array.from({ length: 27 }, (_, index) => `clean-${index}`) }),
          ...Array.from({ length: 3_003 }, () => anAsset()),
          ...Array.from({ length: 5_007 }, () => anAsset({ paths: ['a', 'b'], outcome: 'failed' })),
        ],
      }),
    );
    for (const text of [
      '16 files, the least severe, are left out of this page',
      'and 3 more notices',
      'and 4 more steps',
      '<li>and 5 more</li>',
      'and 6 more fixed issues',
      'and 7 more paths',
      '; and 9 more</p>',
      ' and 3 more</p>',
      '2 more problems in report.json',
      '4 more files in report.json',
    ])
      expect(page).toContain(text);
  });
});

/** Every hostile text in every place, trying to run code and to reach the network. */
function hostileReport(): Report {
  const attacks = [
    ...HOSTILE_TEXTS,
    '<img src=https://evil.example/x.png onerror="globalThis.owned=1">',
    '"><script>globalThis.owned=1</script><link rel=stylesheet href=https://evil.example/x.css>',
    '</noscript><style>@import "https://evil.example/x.css"</style><iframe src=https://evil.example></iframe>',
  ];
  const assets = [...attacks, ...attacks].map((attack) =>
    anAsset({
      paths: [attack, `x/${attack}`],
      mime: attack,
      category: undefined,
      sourceReason: attack,
      issues: [
        anIssue({
          summary: attack,
          headline: attack,
          reasoning: attack,
          ruleCode: attack,
          status: attack,
          reportedSeverity: attack,
          url: `javascript:globalThis.owned=1//${attack}`,
          precedents: [{ url: 'javascript:globalThis.owned=1', title: attack, decision: attack, date: attack }],
          waiver: { owner: attack, reason: attack, expires: attack },
        }),
      ],
      fixed: [anIssue({ headline: attack })],
      topics: [{ title: attack, issueIds: [] }],
    }),
  );
  const all = attacks.join(' ');
  const cause = { reason: 'service', message: all, fix: all, path: all } as const;
  return aReport({
    assets,
    causes: [cause],
    notices: attacks,
    nextSteps: attacks,
    headline: all,
    gate: all,
    submission: { id: all, status: all, workflowId: all },
    run: { repository: all, commit: all, ref: all, event: all, url: `javascript:${all}`, serverUrl: all, branch: all },
  });
}

/** What the page says of each issue's effect on the check. */
const effects = (report: Report): readonly (string | undefined)[] =>
  [...renderPage(report).matchAll(/<p class="tags"><span class="tag(?: stop)?">(.*?)<\/span>/g)].map(
    ([, text]) => text,
  );

const shortened = (report: Report): Report => ({ ...report, assets: report.assets.slice(0, 6) });

const nothing = (): Promise<unknown> => Promise.resolve();

describe.skipIf(findBrowser() === undefined)('report.html in a browser', () => {
  const open = useBrowser();

  const small = shortened(failed);
  const states: readonly [string, Report, (page: Page) => Promise<unknown>][] = [
    ['failed', small, nothing],
    ['passed', shortened(passed), nothing],
    ['with a file that was not judged', notJudged, nothing],
    ['not checked', notChecked, nothing],
    ['in the sandbox', { ...shortened(passed), mode: 'sandbox' }, nothing],
    ['filtered', manyFiles(6), (page) => page.getByRole('checkbox', { name: /^Major/ }).check()],
    ['with nothing that matches', small, (page) => page.evaluate('location.hash = "q=nothing"')],
    ['with fixed issues only', small, (page) => page.evaluate('location.hash = "q=%231001"')],
    ['with help', small, (page) => page.keyboard.press('?')],
    ['with an enlarged image', small, (page) => page.locator('.zoom').click()],
    ['at an issue', small, (page) => page.keyboard.press('j')],
  ];
  it.each(states)('axe finds nothing, in light and dark: %s', async (_, report, prepare) => {
    const { page, complaints } = await open(report, { media: mediaFor(report, 'print/poster.png') });
    await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');
    await prepare(page);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('axe finds nothing on a phone, folded and with filters', async () => {
    const { page } = await open(small, { viewport: { width: 390, height: 844 } });
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByText('Find and filter').click();
    await page.getByRole('checkbox', { name: /^Critical/ }).check();
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  it('runs nothing of the report and makes no request, also when all files are in the document', async () => {
    const { page, requests, complaints } = await open(hostileReport());
    await page.evaluate('dispatchEvent(new Event("beforeprint"))');
    expect(await page.locator('noscript').count()).toBe(0);
    expect(await page.evaluate('globalThis.owned')).toBeUndefined();
    expect(await page.locator('iframe, link, main img, main script').count()).toBe(0);
    expect(requests).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('has a content security policy that blocks everything from outside', async () => {
    const { page } = await open(failed);
    const blocked = await page.evaluate(
      `new Promise((resolve) => {
        const seen = [];
        addEventListener('securitypolicyviolation', (event) => { seen.push(event.effectiveDirective); if (seen.length === 3) resolve(seen.sort()); });
        const image = new Image(); image.src = 'https://evil.example/x.png'; document.body.append(image);
        const frame = document.createElement('iframe'); frame.src = 'https://evil.example/'; document.body.append(frame);
        fetch('https://evil.example/').catch(() => undefined);
      })`,
    );
    expect(blocked).toEqual(['connect-src', 'frame-src', 'img-src']);
  });

  it('shows only media that a browser can show', async () => {
    const { page } = await open(failed, { media: mediaFor(failed, 'print/poster.png', 'text/html') });
    expect(await page.locator('figure').count()).toBe(0);
  });

  it('is complete and readable without scripts', async () => {
    const many = manyFiles(60);
    const { page } = await open(many, { javaScriptEnabled: false });
    const issues = many.assets.flatMap((asset) => asset.issues);
    expect(await page.locator('article.issue:not(.fixed):visible').count()).toBe(issues.length);
    expect(await page.locator('#search').isVisible()).toBe(false);
    expect(await page.locator('#filters input').first().isVisible()).toBe(false);
    expect(await page.locator('.index a').count()).toBe(54);
  });

  it('has all files in the document soon after it has opened, so that the browser finds them', async () => {
    const { page } = await open(manyFiles(100));
    await expect.poll(() => page.locator('noscript').count(), { timeout: 60_000 }).toBe(0);
    expect(await page.locator('article.issue:not(.fixed)').count()).toBe(450);
  });

  it('prints the head, the rules of the gate and each file with issues on its own page, and no film', async () => {
    const report = manyFiles(40);
    const { page } = await open(report, { media: sampleMedia(mediaToEmbed(report.assets)) });
    const pdf = await page.pdf({ format: 'A4' });
    const pages = pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0;
    expect(pages).toBeGreaterThanOrEqual(36);
    await page.evaluate('dispatchEvent(new Event("beforeprint"))');
    expect(await page.locator('details:not([open])').count()).toBe(0);
    await page.emulateMedia({ media: 'print' });
    for (const hidden of ['#search', '#show', 'video', 'audio', '.copy'])
      expect(await page.locator(hidden).first().isVisible()).toBe(false);
    for (const text of [
      'Issues that are waived or closed at the service (status RESOLVED or DISMISSED) do not count.',
      'Film, not shown on paper: https://github.com/acme/campaigns/blob/',
      'Sound, not shown on paper: https://github.com/acme/campaigns/blob/',
    ])
      expect(await page.getByText(text).first().isVisible()).toBe(true);
    expect(await page.locator('.clean td:visible').last().innerText()).toMatch(/; SHA-256 [0-9a-f]{64}$/);
    const lists = await page
      .locator('section.paper:visible')
      .evaluateAll((all) =>
        all.map((one) => `${one.querySelector('h2')?.textContent}: ${one.querySelectorAll('tbody tr').length}`),
      );
    expect(lists).toEqual([
      `${report.counts.failing} issues stop the check: ${new Set(report.assets.filter(({ issues }) => issues.some(({ failsGate }) => failsGate))).size}`,
      '12 issues fixed since the version before: 12',
    ]);
    expect(
      await page
        .getByText(/SHA-256 [0-9a-f]{64}/)
        .first()
        .isVisible(),
    ).toBe(true);
    await page.evaluate('dispatchEvent(new Event("afterprint"))');
    expect(await page.locator('details:not([open])').count()).toBeGreaterThan(0);
  });

  it('names the run and its address on paper, and prints files without issues together', async () => {
    const bare = Array.from({ length: 12 }, (_, index) => anAsset({ paths: [`${index}.png`], outcome: 'failed' }));
    const { page } = await open({ ...notJudged, run: { ...manyFiles(1).run, repository: 'a"/b' }, assets: bare });
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByText('Run: https://github.com/acme/campaigns/actions/runs/1').isVisible()).toBe(true);
    expect(await page.content()).toContain('@bottom-left { content: "a?/b, commit 0123456789ab, checked ');
    const pdf = await page.pdf({ format: 'A4' });
    expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length).toBeLessThan(4);
  });

  it('says near the head what was not checked', async () => {
    const { page } = await open(failed);
    const notice = await page.getByText('matched no file').boundingBox();
    const first = await page.locator('section.file').first().boundingBox();
    expect(notice?.y).toBeLessThan(first?.y ?? 0);
  });

  it('has the name of a file and its first issue on one sheet, also if filtered', async () => {
    const report = manyFiles(20);
    const { page } = await open(report, { media: sampleMedia(mediaToEmbed(report.assets)) });
    await page.emulateMedia({ media: 'print' });
    const values = await page.evaluate(
      `[...new Set([...document.querySelectorAll('.head, .facts-line, .versions, .elsewhere, figure')].map((one) => getComputedStyle(one).breakAfter + ' ' + getComputedStyle(one).breakInside))]`,
    );
    expect(values).toEqual(['avoid avoid']);
  });

  it('has an issue that counts above a worse one that is waived, in the page and in the sample', () => {
    const issues = [
      anIssue({ referenceNumber: 1, standing: 'waived', failsGate: false }),
      anIssue({ referenceNumber: 2, severity: 'MAJOR', failsGate: false }),
    ];
    const page = renderPage(aReport({ assets: [anAsset({ issues })] }));
    expect([...page.matchAll(/ id="(issue-\d+)"/g)].map(([, id]) => id)).toEqual(['issue-2', 'issue-1']);
    const worst = manyFiles(200).assets.map((asset) =>
      Math.min(
        ...asset.issues.filter(({ standing }) => standing === 'active').map((one) => severityRank(one.severity)),
      ),
    );
    expect(worst).toEqual(worst.toSorted((one, other) => one - other));
  });

  it('says of each issue that does not stop the check why not', () => {
    const issues = [
      anIssue(),
      anIssue({ severity: 'MAJOR', failsGate: false }),
      anIssue({ standing: 'known', failsGate: false }),
      anIssue({ standing: 'waived', failsGate: false }),
      anIssue({ standing: 'ignored', failsGate: false }),
    ];
    const report = aReport({ assets: [anAsset({ issues })] });
    expect(effects(report)).toEqual([
      'Stops the check',
      'Does not stop the check: MAJOR is below CRITICAL',
      'Does not stop the check: known on the base branch',
      'Does not stop the check: waived',
      'Does not stop the check: closed at the service',
    ]);
    const reporting = { ...report, policy: { ...report.policy, failOnSeverity: 'never' } as const };
    expect(effects(reporting)).toContain('Does not stop the check: this gate only reports');
  });

  it('keeps lines and columns short on a wide screen', async () => {
    const report = manyFiles(4);
    const { page } = await open(report, {
      media: sampleMedia(mediaToEmbed(report.assets)),
      viewport: { width: 1920, height: 1080 },
    });
    const widest = (selector: string): Promise<number> =>
      page.evaluate(
        `Math.max(...[...document.querySelectorAll('${selector}')].map((one) => one.getBoundingClientRect().width))`,
      );
    expect(await widest('.finder')).toBeLessThanOrEqual(320);
    expect(await widest('.text')).toBeLessThanOrEqual(800);
    expect(await widest('.issue')).toBeLessThanOrEqual(840);
  });
});
