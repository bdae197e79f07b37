import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { findBrowser } from '../../../scripts/find-program.ts';
import { githubPage } from '../../../scripts/pictures/github-page.ts';
import { author, rerun } from '../../../src/causes/cause.ts';
import type { Report, ReportedContent } from '../../../src/report/report.ts';
import { renderComment, renderSummary } from '../../../src/report/summary.ts';
import { manyFiles } from '../../builders/many-files.ts';
import { aCause, aContent, anIssue, aReport, HOSTILE_TEXTS, PULL_REQUEST_RUN } from '../../builders/reports.ts';
import { SITUATIONS } from '../../builders/situations.ts';
import { fullReport, withTexts } from '../arbitrary.ts';
import { failed } from '../samples.ts';
import { accessibilityProblems, it, unreachable } from './browser.ts';

const PHONE = { width: 390, height: 844 };
/** A small laptop at a zoom of 100, 125, 150 and 200 %, a low window and a small phone. */
const WINDOWS = ['1366 × 768', '1093 × 614', '911 × 512', '683 × 384', '1280 × 580', '390 × 600'];

const found = (page: Page): Promise<string> => page.locator('.found b').innerText();
const opened = (page: Page): Promise<string> => page.locator('.detail h2').innerText();
const detailOf = (page: Page): Promise<string> => page.locator('.detail').innerText();
const firstRow = (page: Page): Promise<string> => page.locator('.rows .row').first().innerText();
const click = (page: Page, name: string | RegExp): Promise<void> => page.getByRole('button', { name }).click();
const check = (page: Page, name: RegExp): Promise<void> => page.getByRole('checkbox', { name }).check();
const search = (page: Page, text: string): Promise<void> => page.locator('#search').fill(text);
const goTo = (page: Page, hash: string): Promise<unknown> => page.evaluate(`location.hash = ${JSON.stringify(hash)}`);

const twenty = { ...manyFiles(20), nextSteps: ['Do 1.', 'Do 2.', 'Do 3.'].map(author) };
const harmless = aContent({ issues: [anIssue({ severity: 'MINOR' })] });
const failedFile = (name: string, over: Partial<ReportedContent> = {}): ReportedContent =>
  aContent({ paths: [name], size: 1_000_000, outcome: 'failed', ...over });
const steps = [author('Remove `it`.'), rerun('Re-run this job.')];
const paths = ['a.mp4', 'b.mp4', 'missing.mp4'];
const unreadable = aReport({
  verdict: 'error',
  nextSteps: steps,
  causes: [...paths.map((path) => aCause({ message: 'It is `empty`.', steps, path })), aCause()],
  contents: [failedFile('a.mp4'), failedFile('b.mp4'), harmless],
});

/** A report in which every text tries to run code or to reach the network. */
function hostileReport(): Report {
  const attacks = [
    ...HOSTILE_TEXTS,
    'javascript:globalThis.owned=1',
    '<img src=https://evil.example/x.png onerror="globalThis.owned=1">',
    '"><script>globalThis.owned=1</script><link rel=stylesheet href=https://evil.example/x.css>',
    '</noscript><style>@import "https://evil.example/x.css"</style><iframe src=https://evil.example></iframe>',
  ];
  const { counts: _, ...all } = withTexts(fullReport(), () => `javascript:${attacks.join(' ')}`);
  const contents = attacks.flatMap((attack) => withTexts(fullReport(), () => attack).contents);
  return aReport({ ...all, contents, notices: attacks, nextSteps: attacks.map(author) });
}

describe.skipIf(findBrowser() === undefined)('report.html in a browser', () => {
  it.for<[string, Report, object?]>([
    ['failed', { ...failed, waiversFile: '.github/waivers.yml' }],
    ['passed', aReport({ contents: [harmless] })],
    ['with problems', unreadable],
    ['not checked', aReport({ verdict: 'skipped', mode: '' })],
    ['in the sandbox', aReport({ mode: 'sandbox', contents: [harmless] })],
    ['with media, on a phone', twenty, PHONE],
  ])('axe finds nothing, in light and dark: %s', async ([, report, size], { open }) => {
    const { page, complaints } = await open(report, size && PHONE);
    expect(await accessibilityProblems(page)).toEqual([]);
    await goTo(page, '#at=issue-1005');
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('runs no text of the report, makes no request and violates no policy', async ({ open }) => {
    const { page, requests, complaints } = await open(hostileReport());
    let text = '';
    for (const list of ['Problems', 'Issues', 'Files']) {
      await click(page, new RegExp(`^${list}`));
      const links = await page.locator('.rows .row').evaluateAll((rows) => rows.map((row) => row.getAttribute('href')));
      expect(links.length).toBeGreaterThan(0);
      for (const link of links) {
        await goTo(page, link ?? '');
        await page.waitForFunction(
          `document.querySelector('.row[aria-current=true]')?.hash === ${JSON.stringify(link)}`,
        );
        text += await page.locator('#app').innerHTML();
        const others = 'iframe, link, img, video, script, a:not([href^="https:"], [href^="#at="])';
        expect(await page.locator(others.replace(/[^,]+/g, '#app $&')).count()).toBe(0);
        expect(await page.locator('a[href^="https:"]:not([rel~=noopener])').count()).toBe(0);
      }
    }
    expect(await page.evaluate('globalThis.owned')).toBeUndefined();
    expect(text).toContain('\\u{202e}');
    expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200e]/);
    expect(requests).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it.for(WINDOWS)('everything can be scrolled to and seen at %s', async (size, { open }) => {
    const [width = 0, height = 0] = size.split(' × ').map(Number);
    for (const report of [failed, unreadable, aReport({ contents: [aContent()] })]) {
      const { page } = await open(report, { width, height });
      expect(await page.evaluate('scrollY')).toBe(0);
      await page.evaluate('document.querySelectorAll("details").forEach((fold) => { fold.open = true })');
      expect(await unreachable(page)).toEqual([]);
      await page.locator('.rows .row').first().click();
      expect(await unreachable(page)).toEqual([]);
    }
  });

  it.for([
    ['1366 × 700', 300],
    ['390 × 844', 600],
  ] as const)('has the list on the first screen, and the first step once: %s', async ([size, limit], { open }) => {
    const [width = 0, height = 0] = size.split(' × ').map(Number);
    const { page } = await open(twenty, { width, height });
    expect((await page.locator('.row').first().boundingBox())?.y).toBeLessThan(limit);
    const shown = async (): Promise<unknown> =>
      (await page.locator('header').innerText()).match(/Author of the change: .*|.* matched no file\./g);
    expect(await shown()).toEqual(['Author of the change: Do 1.']);
    await page.getByText('2 more steps').click();
    await page.getByText('About this run').click();
    const steps = ['Do 1.', 'Do 2.', 'Do 3.'].map((text) => `Author of the change: ${text}`);
    expect(await shown()).toEqual([...steps, 'The pattern docs/**/*.pdf matched no file.']);
  });

  it('shows an issue with all that the report knows of it', async ({ open }) => {
    const { page } = await open({ ...failed, waiversFile: '.github/waivers.yml' });
    const text = await detailOf(page);
    expect(text).toMatch(/A cure is promised[^]*Stops the check[^]*version 3 of 3[^]*No study is named\./);
    expect(text).toMatch(/Why CRITICAL\s+A promise[^]*Topic\s+Claims about sleep\s+Precedents\s+Herbal tea: Upheld/);
    expect(text).toContain('- rule: "HEALTH-CLAIM-01"\n  path: "spots/summer-30s.mp4"\n  owner:\n');
    const links = page.locator('.detail a[href^="https:"]');
    expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual([
      'https://compliance.example/issues/1042',
      'https://github.com/acme/campaigns/blob/fedcba9876543210fedcba9876543210fedcba98/spots/summer-30s.mp4',
      'https://rulings.example/2024',
    ]);
    await page.locator('.detail .row').click();
    expect(await opened(page)).toBe('summer-30s.mp4');
    expect(await page.locator('.detail .row').count()).toBe(3);
    expect(await found(page)).toBe('Files: 44');
    await page.goBack();
    expect(await found(page)).toBe('Issues: 6');
    expect(await opened(page)).toBe('A cure is promised without evidence');
    await goTo(page, '#at=issue-871');
    await page.getByText('Dana Ito, Legal until 2027-03-31').waitFor();
    expect(await page.locator('.detail pre').count()).toBe(0);
    await goTo(page, '#at=issue-99');
    await page.getByText('This report has no entry issue-99.').waitFor();
  });

  it.for(Object.entries(SITUATIONS))(
    'a summary takes two screens of GitHub at most: %s',
    async ([, report], { tab }) => {
      const size = { width: 1_012, height: 2_160 };
      await tab.setViewportSize(size);
      // The page before has a policy of its own.
      await tab.goto('about:blank');
      for (const text of [renderSummary(report), renderComment(report, '')]) {
        await tab.setContent(await githubPage(text));
        expect(await tab.evaluate('document.body.scrollHeight')).toBeLessThanOrEqual(size.height);
      }
    },
  );

  it('shows a problem with its file, and at the file what happened', async ({ open }) => {
    const { page } = await open(unreadable);
    expect(await found(page)).toBe('Problems: 4');
    expect(await firstRow(page)).toMatch(/It is empty\.\s+a\.mp4\s+Stops the check/);
    expect(await detailOf(page)).toMatch(
      /Remove it\.\s+Anyone with write access: Re-run this job\.\s+a\.mp4[^]*Also about this file/,
    );
    const rerunLinks = page.getByRole('link', { name: 'Re-run this job.' });
    expect(await rerunLinks.first().getAttribute('href')).toBe(unreadable.run.url);
    await page.locator('.detail .row').click();
    expect(await opened(page)).toBe('a.mp4');
    expect(await detailOf(page)).toMatch(/Also about this file\s+It is empty\./);
    await goTo(page, '#at=problem-3');
    await page.locator('.detail li', { hasText: 'missing.mp4' }).waitFor();
  });

  it('searches, filters, and saves what is left as CSV', async ({ open }) => {
    const { page } = await open(failed);
    await search(page, 'poster narrator');
    expect(await found(page)).toBe('Issues: 0 of 6');
    expect(await page.locator('.rows').innerText()).toBe('Nothing matches.');
    await click(page, 'Clear');
    await check(page, /^MAJOR/);
    await check(page, /^Stops the check/);
    expect(await found(page)).toBe('Issues: 0 of 6');
    await check(page, /^CRITICAL/);
    expect(await found(page)).toBe('Issues: 2 of 6');
    const download = page.waitForEvent('download');
    await click(page, 'Save as CSV');
    const file = await download;
    expect(file.suggestedFilename()).toBe('media-compliance.csv');
    expect((await readFile(await file.path(), 'utf8')).match(/^Stops the check,CRITICAL,/gm)).toHaveLength(2);
  });

  it('renders 300 rows, and more on demand', async ({ open }) => {
    const { page } = await open(manyFiles(100, 10));
    expect(await page.locator('.row').count()).toBeLessThan(305);
    await click(page, 'Show more');
    expect(await page.locator('.rows .row').count()).toBe(600);
  });

  it('acts on arrows and / while the list has the focus', async ({ open }) => {
    const { page } = await open(failed);
    const current = (): Promise<string> => page.locator('.rows [aria-current=true] .aside').first().innerText();
    const press = async (...keys: readonly string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await page.locator('.row').first().click();
    await press('ArrowDown');
    await expect.poll(current).toBe('#1043');
    await press('ArrowDown', 'ArrowDown', 'ArrowUp');
    await expect.poll(current).toBe('#1031');
    await page.reload();
    expect(await opened(page)).toBe('Small print cannot be read');
    await page.locator('.rows [aria-current=true]').focus();
    await press('/');
    await page.keyboard.type('old logo/');
    expect(await found(page)).toBe('Issues: 0 of 6');
    await click(page, 'Clear');
    await press('ArrowDown', '/');
    expect(await current()).toBe('#1042');
    expect(await page.locator('#search:focus').count()).toBe(0);
  });

  it('shows the list on a phone, each row with its path, then an issue, and goes back', async ({ open }) => {
    const { page } = await open(twenty, PHONE);
    expect(await firstRow(page)).toMatch(/campaign\/market-0\/0000\/hero\.mp4/);
    expect(await page.locator('.detail').isVisible()).toBe(false);
    await page.getByText('Filters').click();
    await check(page, /^MAJOR/);
    await page.locator('.row').nth(1).click();
    expect(await page.locator('.row').first().isVisible()).toBe(false);
    expect(await page.evaluate('document.activeElement.className')).toBe('detail');
    await page.goBack();
    expect(await page.locator('.row').first().isVisible()).toBe(true);
    expect(await found(page)).toBe('Issues: 40 of 100');
    await page.locator('.row').nth(1).click();
    await page.getByText('← List').click();
    expect(await page.locator('.detail').isVisible()).toBe(false);
  });

  it('opens a film at the first time in the text, or at its start if it is shorter', async ({ open }) => {
    const [film] = twenty.contents.filter(({ mime }) => mime === 'video/mp4');
    const issues = [
      anIssue({ summary: 'It happens at 9:59.' }),
      anIssue({ headline: 'Wrong at 0:01', reasoning: 'As at 0:02.' }),
    ];
    const { page } = await open(aReport({ contents: [aContent({ ...film, issues })] }));
    const player = page.locator('.detail video');
    const timeOf = (): Promise<unknown> => player.evaluate((one) => Reflect.get(one, 'currentTime'));
    await expect.poll(() => player.evaluate((one) => Reflect.get(one, 'readyState'))).toBeGreaterThan(0);
    expect(await timeOf()).toBe(0);
    await page.locator('.row').nth(1).click();
    await expect.poll(timeOf).toBe(1);
  });

  it('plays a film that the service could not analyse, and says why any other file is not shown', async ({ open }) => {
    const files: [string, Partial<ReportedContent>, string][] = [
      ['large.mp4', { size: 30_000_000 }, 'No preview: this page contains only pictures'],
      ['film.png', { mime: 'image/png' }, 'This browser cannot show the file.'],
      ['damaged.mp4', { size: 1_000 }, 'This browser cannot show the file.'],
    ];
    const paths = ['film.mp4', 'copy.mp4'] as const;
    const contents = [failedFile('', { paths }), ...files.map(([name, over]) => failedFile(name, over))];
    const causes = [aCause({ path: 'film.mp4' })];
    const { page } = await open(aReport({ verdict: 'error', run: PULL_REQUEST_RUN, causes, contents }));
    await expect.poll(() => page.evaluate('document.querySelector(".detail video")?.duration')).toBeGreaterThan(1);
    await click(page, /^Files/);
    for (const [name, , reason] of files) {
      await search(page, name);
      await page.locator('.place', { hasText: reason }).waitFor();
      expect(await page.locator('.detail :is(video, img)').count()).toBe(0);
    }
  });
});
