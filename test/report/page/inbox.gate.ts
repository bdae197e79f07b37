import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { findBrowser } from '../../../scripts/find-program.ts';
import { accountOwner, author, rerun } from '../../../src/causes/cause.ts';
import { renderPage } from '../../../src/report/page/page.ts';
import type { Report, ReportedContent } from '../../../src/report/report.ts';
import { manyFiles } from '../../builders/many-files.ts';
import { aCause, aContent, anIssue, aReport, HOSTILE_TEXTS, PULL_REQUEST_RUN } from '../../builders/reports.ts';
import { fullReport, withTexts } from '../arbitrary.ts';
import { failed } from '../samples.ts';
import { accessibilityProblems, it, unreachable } from './browser.ts';

const PHONE = { width: 390, height: 844 };
/** A small laptop at a zoom of 100, 125, 150 and 200 %, a low window and a small phone. */
const WINDOWS = ['1366 × 768', '1093 × 614', '911 × 512', '683 × 384', '1280 × 580', '390 × 600'];

const found = (page: Page): Promise<string> => page.locator('.found b').innerText();
const opened = (page: Page): Promise<string> => page.locator('.detail h2').innerText();
const detailOf = (page: Page): Promise<string> => page.locator('.detail').innerText();
const chosen = (page: Page): Promise<string> => page.locator('[aria-selected=true] .aside').first().innerText();
const isListShown = (page: Page): Promise<boolean> => page.locator('.row').first().isVisible();
const focused = (page: Page): Promise<unknown> =>
  page.evaluate('document.activeElement.id || document.activeElement.className');
const click = (page: Page, name: string | RegExp): Promise<void> => page.getByRole('button', { name }).click();
const check = (page: Page, name: RegExp): Promise<void> => page.getByRole('checkbox', { name }).check();
const search = (page: Page, text: string): Promise<void> => page.locator('#search').fill(text);
const press = async (page: Page, ...keys: readonly string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key);
};
const diffOf = (path: string): string =>
  `https://github.com/acme/campaigns/pull/7/files#diff-${createHash('sha256').update(path).digest('hex')}`;
const missingIn = (text: string, parts: readonly string[]): readonly string[] =>
  parts.filter((part) => !text.includes(part));

const twenty = manyFiles(20);
const harmless = aContent({ issues: [anIssue({ severity: 'MINOR' })] });
const failedFile = (name: string, over: Partial<ReportedContent> = {}): ReportedContent =>
  aContent({ paths: [name], size: 1_000_000, outcome: 'failed', ...over });

const unreadable = aReport({
  verdict: 'error',
  causes: [
    aCause({
      message: 'It is `empty`.',
      steps: [author('Remove `it`.'), rerun(undefined, 'It is free.')],
      paths: ['a.mp4', 'b.mp4', 'missing.mp4'],
      submissionIds: ['s1'],
    }),
  ],
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
  it.for<[string, Report, ((page: Page) => Promise<unknown>)?]>([
    ['failed', failed],
    ['passed', aReport({ contents: [harmless] })],
    ['with a problem', unreadable],
    ['not checked', aReport({ verdict: 'skipped', mode: '' })],
    ['in the sandbox', aReport({ mode: 'sandbox', contents: [harmless] })],
    ['with media, filtered', twenty, (page) => check(page, /^MAJOR/)],
  ])('axe finds nothing, in light and dark: %s', async ([, report, prepare], { open }) => {
    const { page, complaints } = await open(report);
    await prepare?.(page);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('shows a list on a phone, then an issue, and goes back; axe finds nothing', async ({ open }) => {
    const { page } = await open(twenty, PHONE);
    expect((await page.locator('.row').first().boundingBox())?.y).toBeLessThan(844);
    expect(await page.locator('.row').first().innerText()).toContain('Stops the check · HEALTH-02');
    await click(page, 'Filters');
    await check(page, /^MAJOR/);
    expect(await accessibilityProblems(page)).toEqual([]);
    await click(page, 'Filters');
    await page.locator('.row').nth(1).click();
    expect(await isListShown(page)).toBe(false);
    expect(await focused(page)).toBe('detail');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.goBack();
    expect(await isListShown(page)).toBe(true);
    expect(await page.locator('.detail').isVisible()).toBe(false);
    expect(page.url()).toContain('severity=MAJOR');
    await page.locator('.row').first().click();
    await press(page, 'Escape');
    expect(await isListShown(page)).toBe(true);
    // The list is one step back in the history, no matter how many issues the reader opened.
    await page.locator('.row').first().click();
    await press(page, 'j');
    await page.goBack();
    expect(await isListShown(page)).toBe(true);
  });

  it.for(WINDOWS)('everything can be scrolled to and seen at %s', async (size, { open }) => {
    const [width = 0, height = 0] = size.split(' × ').map(Number);
    for (const report of [failed, unreadable, aReport({ contents: [aContent()] })]) {
      const { page } = await open(report, { width, height });
      expect(await page.evaluate('scrollY')).toBe(0);
      await page.locator('summary').first().click({ force: true });
      expect(await unreachable(page)).toEqual([]);
      const filters = page.getByRole('button', { name: 'Filters' });
      for (const button of (await filters.isVisible()) ? [filters, page.locator('.row').first()] : []) {
        await button.click();
        expect(await unreachable(page)).toEqual([]);
      }
    }
  });

  it('runs no text of the report, makes no request and violates no policy', async ({ open }) => {
    const { page, requests, complaints } = await open(hostileReport());
    let text = '';
    for (const [box, entries] of Object.entries({ Problems: 1, 'Active issues': 30, Files: 30 })) {
      await page.locator('.box', { hasText: box }).click();
      // Printing shows every entry in full, and scrolling renders the last rows of the list.
      await page.evaluate('dispatchEvent(new Event("beforeprint"))');
      await page.locator('.rows').evaluate((rows) => rows.scrollTo(0, 1e6));
      expect(await page.locator('#paper article').count()).toBeGreaterThanOrEqual(entries);
      expect(await page.locator('iframe, link, img, a:not([href^="https:"]), a:not([rel~=noopener])').count()).toBe(0);
      expect(await page.locator('#app script, #app style, #paper script, #paper style').count()).toBe(0);
      text += (await page.locator('#app').innerHTML()) + (await page.locator('#paper').innerHTML());
    }
    expect(await page.evaluate('globalThis.owned')).toBeUndefined();
    expect(text).toContain('\\u{202e}');
    expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200e]/);
    expect(requests).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('filters, saves the filtered list, and renders only the visible rows', async ({ open }) => {
    const { page } = await open(twenty);
    const { issues, failing, bySeverity } = twenty.counts;
    expect(await page.locator('.row').count()).toBeLessThan(40);
    await check(page, /^MAJOR/);
    expect(await found(page)).toBe(`Active issues: ${bySeverity.MAJOR} of ${issues}; Severity: MAJOR`);
    expect(await page.locator('.row').first().getAttribute('aria-setsize')).toBe(String(bySeverity.MAJOR));
    await click(page, /^Does not stop it/);
    await click(page, 'Clear');
    expect(await found(page)).toBe(`Does not stop it: ${issues - failing}`);
    const download = page.waitForEvent('download');
    await click(page, 'Save as CSV');
    const file = await download;
    expect(file.suggestedFilename()).toBe('media-compliance.csv');
    expect((await readFile(await file.path(), 'utf8')).match(/\r\n/g)).toHaveLength(1 + issues - failing);
    await page.locator('.row').nth(3).click();
    await page.locator('.rows').evaluate((rows) => rows.scrollTo(0, 600));
    await click(page, /^Active issues/);
    expect(await page.locator('.rows').evaluate((rows) => rows.scrollTop)).toBe(0);
    expect(await page.locator('[aria-selected=true]').getAttribute('aria-posinset')).toBe('1');
    expect(await page.locator('.box[aria-current=true]').innerText()).toContain('Active issues');
  });

  it('searches while the reader types', async ({ open }) => {
    const { page } = await open(failed);
    await press(page, '/');
    await page.keyboard.type('jk poster');
    expect(await found(page)).toBe('Active issues: 0 of 5; search: “jk poster”');
    expect(await page.locator('.rows').innerText()).toContain('Nothing matches here.');
    await click(page, 'Clear');
    await search(page, 'poster');
    // In the search field, arrows move in the list, Home moves in the text, and Enter opens the entry.
    await press(page, 'ArrowDown', 'Home');
    expect(await opened(page)).toBe('An old logo is shown');
    await press(page, 'ArrowUp');
    expect(await opened(page)).toBe('A drinker looks younger than 25');
    await press(page, 'Enter');
    expect(await focused(page)).toBe('detail');
    await press(page, 'Escape');
    expect(await found(page)).toBe('Active issues: 5');
    await expect.poll(() => new URL(page.url()).hash).toBe('');
    // A first Escape returns to the list, in which letters act again, and a second one clears the text.
    await press(page, '/', 'o', 'Escape');
    expect([await focused(page), await found(page)]).toEqual(['list', 'Active issues: 5; search: “o”']);
    await press(page, 'Escape', 'j');
    expect(await found(page)).toBe('Active issues: 5');
    expect(await opened(page)).toBe('A drinker looks younger than 25');
    await press(page, '/', 'q', 'q', 'Escape');
    expect([await focused(page), await found(page)]).toEqual(['search', 'Active issues: 5']);
    await click(page, /^Not counted/);
    expect(await detailOf(page)).toContain('Waiver: Dana Ito, Legal until 2027-03-31');
  });

  it('links an issue and its file, and shows the next issue from its top', async ({ open }) => {
    const contents = failed.contents.map((one) => ({ ...one, size: 40_000_000 }));
    const { page } = await open({ ...failed, contents }, { width: 1280, height: 400 });
    const detail = page.locator('.detail');
    const links = detail.locator('a');
    await expect.poll(() => links.nth(1).getAttribute('href')).toBe(diffOf('spots/summer-30s.mp4'));
    expect(await links.nth(0).getAttribute('href')).toBe('https://compliance.example/issues/1042');
    expect(await links.nth(2).getAttribute('href')).toMatch(/\/blob\/fedcba\w+\/spots\/summer-30s\.mp4$/);
    expect(await links.nth(3).getAttribute('href')).toBe('https://rulings.example/2024');
    const parts = ['Stops the check', 'Why CRITICAL', 'Herbal tea: Upheld (2024-03-13)', 'Claims about'];
    expect(missingIn(await detailOf(page), parts)).toEqual([]);
    expect(await detail.evaluate((one) => (one.scrollTo(0, 100), one.scrollTop))).toBe(100);
    expect(await page.getByRole('button', { name: 'Copy a waiver' }).count()).toBe(0);
    await press(page, 'j');
    await expect.poll(() => detail.evaluate((one) => one.scrollTop)).toBe(0);
    await expect.poll(() => links.nth(1).getAttribute('href')).toMatch(/\/blob\/fedcba\w+\/print\/poster\.png$/);
    const text = await detailOf(page);
    expect(text).toMatch(/created 2026-11-01\s+updated 2026-11-01\s+by checker 5f0c2f6e-\S+\s/);
    expect(text).not.toContain('not changed by this pull request');
    expect(text).toMatch(/All files with the same bytes\s+print\/poster\.png\s+web\/hero\.png/);
  });

  it('shows in its head when and where it ran, its cost, and no numbers in a sandbox', async ({ open }) => {
    const message = 'The service did not respond.';
    const { page } = await open({
      ...failed,
      lastKnown: message,
      submission: { id: 'S', status: 'complete', workflowId: 'W', mayExistTwice: false },
      docs: 'https://docs.example',
      contact: 'https://chat.example/legal',
      nextSteps: [author('Send this link.')],
      causes: [aCause({ paths: ['spots/summer-30s.mp4'] })],
    });
    // A judged file is not shown as unjudged, even if it has a problem.
    expect(await detailOf(page)).not.toContain('Not judged');
    await page.getByText('About this run').click();
    await page.getByText('What to do now').click();
    const result = ['2\nCRITICAL', 'cannot be merged', message, 'Cost: 3 billed'];
    const run = ['pull request #7', 'run of 2026-11-14 09:41 UTC'];
    const details = ['submission S complete', 'workflow W', 'matched no file', 'troubleshooting'];
    expect(missingIn(await page.locator('header').innerText(), [...result, ...run, ...details])).toEqual([]);
    const contact = page.locator('.steps').getByRole('link', { name: 'https://chat.example/legal' });
    expect(await contact.getAttribute('href')).toBe('https://chat.example/legal');
    const help = page.getByRole('link', { name: 'troubleshooting' });
    expect(await help.getAttribute('href')).toBe('https://docs.example/troubleshooting.md#issues');
    await open(aReport({ mode: 'sandbox', contents: [harmless] }));
    expect(await page.locator('header.sandbox h1 .icon.sandbox').count()).toBe(1);
    expect(await page.locator('header .tags li').count()).toBe(0);
    expect(await page.locator('body').innerText()).not.toMatch(/\bbill/i);
  });

  it('shows a problem with its steps and files, and at each file what happened', async ({ open }) => {
    const { page } = await open(unreadable);
    expect(await found(page)).toBe('Problems: 1');
    expect(await page.locator('#list .row').innerText()).toMatch(/It is empty\.[^]*and 2 more/);
    expect(await page.locator('.what code').innerText()).toBe('empty');
    const steps = ['Author of the change: Remove it.', 'Anyone with write access: Re-run this job. It is free.'];
    expect(await page.locator('.detail .sentences li').allInnerTexts()).toEqual(steps);
    expect(await detailOf(page)).toMatch(/Submission s1\s+3 files/);
    expect(await page.locator('.related .what').allInnerTexts()).toEqual(['a.mp4', 'b.mp4']);
    expect(await page.locator('.place').count()).toBe(0);
    expect(await page.locator('.detail ul:not(.sentences) code').allInnerTexts()).toEqual(['missing.mp4']);
    await page.locator('.related button').nth(1).click();
    expect(await opened(page)).toBe('b.mp4');
    expect(await detailOf(page)).toMatch(/Not judged\. It is empty\.\s+Author.*Remove it\./);
  });

  it.for([
    ['1366 × 700', 300],
    ['800 × 700', 400],
    ['390 × 844', 600],
  ] as const)('has the list on the first screen, with folded steps: %s', async ([size, limit], { open }) => {
    const [width = 0, height = 0] = size.split(' × ').map(Number);
    const fix = [1, 2, 3].map((number) => author(`Do ${number}.`));
    const others = ['Dismiss it.', 'Waive it.'].map((text) => accountOwner(text));
    const report = { ...manyFiles(65), nextSteps: [...fix, ...others], docs: 'https://docs.example' };
    const { page } = await open(report, { width, height });
    expect((await page.locator('.row').first().boundingBox())?.y).toBeLessThan(limit);
    const steps = page.locator('.steps').locator('li').filter({ visible: true });
    expect(await steps.count()).toBe(0);
    await page.getByText('What to do now Author of the change: Do 1.').click();
    expect(await steps.allInnerTexts()).toEqual([
      ...[1, 2, 3].map((number) => `Author of the change: Do ${number}.`),
      ...['Dismiss it.', 'Waive it.'].map((text) => `Owner of the service account: ${text}`),
      'New to this check? The check is red: what now?',
      'Owners of the workflow: troubleshooting',
    ]);
  });

  it('keeps the order and the filter in the address, and names an unknown link', async ({ open }) => {
    const { page } = await open(failed);
    const first = page.locator('.row .aside').first();
    await page.getByRole('combobox', { name: 'Order of the list' }).selectOption('By file');
    expect(await first.innerText()).toBe('#1043');
    await check(page, /^yes/);
    await expect.poll(() => page.url()).toMatch(/#sort=file&changed=yes$/);
    await page.reload();
    expect(await found(page)).toBe('Active issues: 3 of 5; Changed here: yes');
    expect(await first.innerText()).toBe('#1042');
    await page.goto(`${page.url().replace(/#.*/, '')}#at=issue-99`);
    await page.getByText('This report has no entry issue-99.').waitFor();
  });

  it('lists the issues of a file as rows that open them, and goes back to the file', async ({ open }) => {
    const { page } = await open(failed);
    await click(page, /^Files/);
    expect(await page.locator('#list .row').first().innerText()).toMatch(/3 issues\s+spots\/\s+video, 12\.3 MB/);
    expect(await page.locator('.related .what').count()).toBe(3);
    await search(page, 'summer-30s.mp4');
    await page.locator('.related button').nth(1).click();
    expect(await opened(page)).toBe('Small print cannot be read');
    expect(await found(page)).toBe('Active issues: 5');
    expect(await chosen(page)).toBe('#1031');
    await page.goBack();
    expect(await opened(page)).toBe('summer-30s.mp4');
    await check(page, /^spots/);
    await click(page, 'Show all issues of this file');
    expect(await found(page)).toBe('All issues: 3 of 6; search: “spots/summer-30s.mp4”');
  });

  it('keeps the chosen row while the reader scrolls, and shows the row again after a reload', async ({ open }) => {
    const { page } = await open(twenty);
    await press(page, 'j', 'j', 'k');
    await page.locator('.rows').evaluate((rows) => rows.scrollTo(0, 60 * 66));
    await page.locator('.row[aria-posinset="65"]').waitFor();
    // A screen reader still finds the chosen row.
    expect(await page.locator('[aria-selected=true]').getAttribute('aria-posinset')).toBe('2');
    await page.locator('.row[aria-posinset="65"]').click();
    const far = await chosen(page);
    await expect.poll(() => page.url()).toContain(`at=${far.replace('#', 'issue-')}`);
    await page.reload();
    expect(await chosen(page)).toBe(far);
    const box = await page.locator('[aria-selected=true]').boundingBox();
    expect(box?.y).toBeGreaterThan(0);
    expect(box?.y).toBeLessThan(800);
  });

  it('copies a waiver, and its address if others can open it, or else that of the run', async ({ open }) => {
    const report = { ...failed, waiversFile: '.github/waivers.yml' };
    const { page } = await open(report);
    const copy = async (button: string, message: string): Promise<unknown> => {
      await click(page, button);
      await page.getByText(message).waitFor();
      return await page.evaluate('navigator.clipboard.readText()');
    };
    expect(await copy('Copy a waiver', 'Copied: a waiver.')).toMatch(/^- rule: "HEALTH-CLAIM-01"\n/);
    const rules = async (): Promise<unknown> =>
      String(await copy('Copy waivers', 'Copied: waivers.')).match(/(?<=rule: "|path: ").*(?=")/g);
    const [first, ...others] = ['HEALTH-CLAIM-01', 'spots/summer-30s.mp4', 'ALCOHOL-AGE-02', 'print/poster.png'];
    expect(await rules()).toEqual([first, ...others, 'ALCOHOL-AGE-02', 'web/hero.png']);
    await search(page, 'summer');
    expect(await rules()).toEqual([first, others[0]]);
    await search(page, 'small print');
    expect(await page.getByRole('button', { name: 'Copy waivers' }).count()).toBe(0);
    await search(page, '');
    const name = '#1042 A cure is promised without evidence (spots/summer-30s.mp4)';
    expect(await copy('Copy link', 'the address of the run')).toBe(`${name}: ${failed.run.url}`);
    // The list and the filter of this address hide the issue.
    await page.goto(`${page.url().replace(/#.*/, '')}?sig=secret#at=issue-871&box=stops&severity=CRITICAL`);
    expect(await found(page)).toBe('Not counted: 1');
    expect(await chosen(page)).toBe('#871');
    // Only an issue that stops the check needs a waiver.
    expect(await page.getByRole('button', { name: 'Copy a waiver' }).count()).toBe(0);
    expect(await copy('Copy link', 'the address of the run')).toContain(`#871 Unproven`);
    await page.route('https://reports.example/**', (route) =>
      route.fulfill({ body: renderPage(report), contentType: 'text/html' }),
    );
    await page.goto('https://reports.example/7.html#at=issue-1042');
    expect(await copy('Copy link', 'address of this entry')).toBe('https://reports.example/7.html#at=issue-1042');
    await page.goto('https://reports.example/7.html?sig=secret#at=issue-1042');
    expect(await copy('Copy link', 'the address of the run')).toBe(`${name}: ${failed.run.url}`);
    await page.unrouteAll();
    await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error("not allowed"))');
    await copy('Copy link', 'This browser did not allow copying.');
    await page.getByText('This browser did not allow copying.').waitFor({ state: 'hidden' });
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
    await press(page, 'j');
    await expect.poll(timeOf).toBe(1);
  });

  it('plays a film that the service could not analyse, and says why any other file is not shown', async ({ open }) => {
    const sha256 = 'f'.repeat(64);
    const cannotShow = 'This browser cannot show the file.';
    const files: [string, Partial<ReportedContent>, string][] = [
      ['large.mp4', { size: 30_000_000 }, 'No preview: this page contains up to 30 MB'],
      ['film.png', { mime: 'image/png' }, cannotShow],
      ['terms.pdf', { mime: 'application/pdf', category: 'document' }, 'this file is a document'],
      ['missing.mp4', { sha256 }, 'No preview'],
      ['damaged.mp4', { size: 1_000 }, cannotShow],
    ];
    const paths = ['film.mp4', 'copy.mp4'] as const;
    const contents = [failedFile('', { paths }), ...files.map(([name, over]) => failedFile(name, over))];
    const causes = [aCause({ paths })];
    const { page } = await open(aReport({ verdict: 'error', run: PULL_REQUEST_RUN, causes, contents }));
    await expect.poll(() => page.evaluate('document.querySelector(".detail video")?.duration')).toBeGreaterThan(1);
    expect(await page.locator('figcaption').innerText()).toBe('Open the file in the repository');
    // The problem lists no other files, because both of its paths are this file.
    expect(await page.locator('.related').count()).toBe(0);
    await page.locator(`#media-${sha256}`).evaluate((media) => media.remove());
    await click(page, /^Files/);
    for (const [name, , reason] of files) {
      await search(page, name);
      await expect.poll(() => page.locator('figcaption').innerText()).toContain(reason);
      expect(await page.locator('.detail :is(video, img)').count()).toBe(0);
    }
    await search(page, 'copy.mp4');
    expect(await page.locator('.detail video').count()).toBe(1);
  });

  it('moves with arrows, Home, End and Enter without a click, and can skip the filters', async ({ open }) => {
    const { page } = await open(failed);
    for (const [key, expected] of Object.entries({ ArrowDown: 1043, End: 975, ArrowUp: 998, Home: 1042 })) {
      await press(page, key);
      expect(await chosen(page)).toBe(`#${expected}`);
    }
    const row = await page.locator('[aria-selected=true]').getAttribute('id');
    expect(await page.locator('#list').getAttribute('aria-activedescendant')).toBe(row);
    // Shortcuts of the browser do not choose another row.
    await press(page, 'Control+j', 'Meta+j', 'Alt+j', 'Enter');
    expect(await focused(page)).toBe('detail');
    await press(page, 'End');
    expect(await chosen(page)).toBe('#1042');
    await page.locator('.skip').focus();
    await press(page, 'Enter');
    expect(await focused(page)).toBe('list');
  });

  it('acts on letters in the list and in the issue, and nowhere else', async ({ open }) => {
    const { page } = await open(failed);
    expect(await focused(page)).toBe('list');
    const places = { '#list': '#1043', '.detail': '#1031', '.detail .bar button:visible': '#998' };
    for (const [place, expected] of Object.entries(places)) {
      await page.locator(place).first().focus();
      await press(page, 'j');
      expect(await chosen(page), place).toBe(expected);
    }
    for (const place of ['select', '.folds input', '.box', 'summary']) {
      await page.locator(place).first().focus();
      await press(page, 'k', '/');
      expect([await chosen(page), await focused(page)], place).toEqual(['#998', expect.not.stringMatching('search')]);
    }
    await page.locator('.detail').focus();
    await press(page, '/');
    expect(await focused(page)).toBe('search');
  });

  it('prints the filtered list with all details, and names the filter', async ({ open }) => {
    const { page } = await open(twenty);
    // The reader prints before the page has rendered the filtered list.
    await page.getByRole('checkbox', { name: /^CRITICAL/ }).evaluate(async (box) => {
      box.click();
      await Promise.resolve();
      box.ownerDocument.defaultView?.dispatchEvent(new Event('beforeprint'));
    });
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('#app').isVisible()).toBe(false);
    const paper = page.locator('#paper');
    const { CRITICAL } = twenty.counts.bySeverity;
    expect(await paper.locator('article').count()).toBe(CRITICAL);
    expect(await page.evaluate('getComputedStyle(document.querySelector("#paper h1")).color')).toBe('rgb(193, 31, 46)');
    const text = await paper.innerText();
    const selection = `Active issues: ${CRITICAL} of ${twenty.counts.issues}; Severity: CRITICAL`;
    const texts = ['matched no file', 'No authorised health claim covers it', 'It happens at 0:01', 'SHA-256 '];
    expect(missingIn(text, [twenty.run.url, 'Fix the files, and push again.', selection, ...texts])).toEqual([]);
    expect(text).not.toContain('Show all issues of this file');
    expect(await paper.locator('video, audio, figcaption').filter({ visible: true }).count()).toBe(0);
    expect(await paper.locator('img').evaluateAll((all) => all.map((one) => one.clientHeight > 0))).toEqual([true]);
    await page.evaluate('dispatchEvent(new Event("afterprint"))');
    expect(await paper.locator('article').count()).toBe(0);
  });
});
