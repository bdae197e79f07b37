import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { findBrowser } from '../../../scripts/find-program.ts';
import { accountOwner, author, ifNoProblem, rerun } from '../../../src/lib/cause.ts';
import type { Report, ReportedContent } from '../../../src/report/report.ts';
import { manyFiles } from '../../builders/many-files.ts';
import { aCause, aContent, anIssue, aReport, HOSTILE_TEXTS, PULL_REQUEST_RUN } from '../../builders/reports.ts';
import { fullReport, withTexts } from '../arbitrary.ts';
import { failed } from '../samples.ts';
import { accessibilityProblems, it, unreachable } from './browser.ts';

const PHONE = { width: 390, height: 844 };
/** A small laptop at 100, 125, 150 and 200 %, a low window and a small phone. */
const WINDOWS = [
  [1366, 768],
  [1093, 614],
  [911, 512],
  [683, 384],
  [1280, 580],
  [390, 600],
] as const;

const found = (page: Page): Promise<string> => page.locator('.found b').innerText();
const opened = (page: Page): Promise<string> => page.locator('.detail h2').innerText();
const chosen = (page: Page): Promise<string> => page.locator('[aria-selected=true] .aside').first().innerText();
const hashOf = (page: Page): URLSearchParams => new URLSearchParams(new URL(page.url()).hash.slice(1));
const copied = (page: Page): Promise<unknown> => page.evaluate('navigator.clipboard.readText()');
const steps = (page: Page): Promise<readonly string[]> =>
  page.locator('.steps').locator('h3, li').filter({ visible: true }).allInnerTexts();
const numberIn = (text: string | null): number => Number((text ?? '').replace(/\D/g, ''));
const print = async (page: Page): Promise<unknown> => await page.evaluate('dispatchEvent(new Event("beforeprint"))');

const showFiles = async (page: Page): Promise<void> => await page.getByRole('button', { name: /^Files/ }).click();

const twenty = manyFiles(20);
const harmless = aContent({ issues: [anIssue({ severity: 'MINOR' })] });
const outage = aCause({ reason: 'service', message: 'It is down', steps: [rerun()] });
/** The culprit is not among the files, because it could not be read. */
const oneCulprit = aReport({
  verdict: 'error',
  reason: 'pre-flight',
  causes: [
    aCause({
      reason: 'pre-flight',
      message: 'It is empty',
      steps: [
        author('Remove `it`.'),
        { ...rerun(), link: 'https://github.com/acme/campaigns/actions/runs/1', note: 'It is free.' },
      ],
      paths: ['ads/empty.png'],
    }),
  ],
  contents: [harmless, ...Array.from({ length: 19 }, () => aContent({ source: 'not-sent', outcome: 'unjudged' }))],
});

const failedFile = (name: string, over: object): ReportedContent =>
  aContent({ paths: [name], size: 1_000_000, outcome: 'failed', ...over });

/** Every hostile text in every place, trying to run code and to reach the network. */
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
    ['failed, with files', failed, showFiles],
    ['passed', aReport({ contents: [harmless] })],
    ['passed, with a file without issues', aReport({ contents: [aContent()] }), showFiles],
    ['with one culprit', oneCulprit],
    ['with a problem of the whole run', aReport({ verdict: 'error', causes: [outage] })],
    ['not checked', aReport({ verdict: 'skipped', mode: '' })],
    ['in the sandbox', aReport({ mode: 'sandbox', contents: [harmless] })],
    ['with media, filtered', twenty, (page) => page.getByRole('checkbox', { name: /^MAJOR/ }).check()],
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
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByRole('checkbox', { name: /^MAJOR/ }).check();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.locator('.row').nth(1).click();
    expect(await page.locator('.detail').isVisible()).toBe(true);
    expect(await page.locator('.row').first().isVisible()).toBe(false);
    expect(await page.evaluate('document.activeElement.className')).toBe('detail');
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await page.goBack();
    expect(await page.locator('.row').first().isVisible()).toBe(true);
    expect(await page.locator('.detail').isVisible()).toBe(false);
    expect(hashOf(page).get('severity')).toBe('MAJOR');
    await page.locator('.row').first().click();
    await page.keyboard.press('Escape');
    expect(await page.locator('.row').first().isVisible()).toBe(true);
    // However many issues were read, the list is one step back.
    await page.locator('.row').first().click();
    await page.keyboard.press('j');
    await page.goBack();
    expect(await page.locator('.row').first().isVisible()).toBe(true);
  });

  it.for([390, 1280])(
    'no line of facts ends with a dot, or shows one at its start, at %i px',
    async (width, { open }) => {
      const { page } = await open({ ...failed, docs: 'https://docs.example' }, { width, height: 800 });
      const dots = await page.evaluate<[boolean, boolean, string][]>(
        `[...document.querySelectorAll('.facts li')].map((fact) => {
        const isFirst = fact.getBoundingClientRect().left === fact.parentElement.getBoundingClientRect().left;
        const isCut = isFirst && getComputedStyle(fact.parentElement).overflowX === 'clip';
        const before = Number.parseFloat(getComputedStyle(fact, '::before').left);
        return [isFirst, isCut && before < 0, getComputedStyle(fact, '::after').content];
      })`,
      );
      expect(dots.length).toBeGreaterThan(8);
      for (const [isFirst, isCut, after] of dots) expect([isCut, after]).toEqual([isFirst, 'none']);
    },
  );

  it('begins with the verdict on a phone with a low screen', async ({ open }) => {
    const { page } = await open(twenty, { width: 390, height: 300 });
    expect(await page.evaluate('scrollY')).toBe(0);
  });

  it.for(
    WINDOWS.flatMap(([width, height]) =>
      (
        [
          ['issues', failed],
          ['problems', oneCulprit],
          ['files', aReport({ contents: [aContent()] })],
        ] as const
      ).map(([what, report]) => [`${width} × ${height}, ${what}`, report, { width, height }] as const),
    ),
  )('everything can be scrolled to and seen: %s', async ([, report, viewport], { open }) => {
    const { page } = await open(report, viewport);
    await page.locator('summary').first().click({ force: true });
    expect(await unreachable(page)).toEqual([]);
    if (!(await page.getByRole('button', { name: 'Filters' }).isVisible())) return;
    await page.getByRole('button', { name: 'Filters' }).click();
    expect(await unreachable(page)).toEqual([]);
    await page.locator('.row').first().click();
    expect(await unreachable(page)).toEqual([]);
  });

  it('runs no text of the report, makes no request and violates no policy', async ({ open }) => {
    const { page, requests, complaints } = await open(hostileReport());
    let text = '';
    for (const [box, entries] of [
      ['Problems', 1],
      ['Active issues', 30],
      ['Fixed', 30],
      ['Files', 30],
    ] as const) {
      await page.locator('.box', { hasText: box }).click();
      // On paper every entry is shown in full, and the end of the list has the rows that were not yet made.
      await print(page);
      await page.locator('.rows').evaluate((rows) => rows.scrollTo(0, 1e6));
      expect(await page.locator('#paper article').count()).toBeGreaterThanOrEqual(entries);
      expect(await page.locator('iframe, link, img, a:not([href^="https:"]), a:not([rel~=noopener])').count()).toBe(0);
      expect(await page.locator('#app script, #app style, #paper script, #paper style').count()).toBe(0);
      const spoken = await page
        .locator(':is(#app, #paper) :is([title], [alt], [aria-label])')
        .evaluateAll((all) =>
          all.map((one) => `${one.getAttribute('title')}${one.getAttribute('alt')}${one.ariaLabel}`),
        );
      text += spoken.join('') + (await page.locator('#app').innerText());
      text += await page.locator('#paper').textContent();
    }
    expect(await page.evaluate('globalThis.owned')).toBeUndefined();
    expect(text).toContain('\\u{202e}');
    expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200e]/);
    expect(requests).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('has a policy that blocks every request, and text that becomes HTML', async ({ open }) => {
    const { page } = await open(aReport());
    const blocked = await page.evaluate(
      `new Promise((resolve) => {
        const seen = [];
        addEventListener('securitypolicyviolation', (event) => {
          seen.push(event.effectiveDirective);
          if (seen.length === 4) resolve(seen.sort());
        });
        for (const name of ['img', 'iframe'])
          document.body.append(Object.assign(document.createElement(name), { src: 'https://evil.example/' }));
        fetch('https://evil.example/').catch(() => undefined);
        try { document.body.innerHTML = '<p>'; } catch {}
      })`,
    );
    expect(blocked).toEqual(['connect-src', 'frame-src', 'img-src', 'require-trusted-types-for']);
  });

  it('has the same numbers in the head, in the filters and in the list, and only the visible rows', async ({
    open,
  }) => {
    const { page } = await open(twenty);
    const { issues, failing, bySeverity } = twenty.counts;
    expect(await found(page)).toBe(`Active issues: ${issues}`);
    expect(await page.locator('.row').count()).toBeLessThan(40);
    const head = page.locator('.numbers button');
    for (const [index, severity] of (['CRITICAL', 'MAJOR', 'MINOR', 'INFO'] as const).entries()) {
      const expected = bySeverity[severity];
      expect(numberIn(await head.nth(index).textContent())).toBe(expected);
      await page.locator('#search').fill('nothing');
      await head.nth(index).click();
      expect(await found(page)).toBe(`Active issues: ${expected} of ${issues}; Severity: ${severity}`);
      expect(numberIn(await page.locator('label', { has: page.locator(':checked') }).textContent())).toBe(expected);
      expect(await page.locator('.row').first().getAttribute('aria-setsize')).toBe(String(expected));
    }
    await page.getByRole('button', { name: /^Stops the check/ }).click();
    await page.getByRole('button', { name: 'Clear' }).click();
    expect(await found(page)).toBe(`Stops the check: ${failing}`);
    await page.getByRole('button', { name: /^Does not stop it/ }).click();
    expect(await found(page)).toBe(`Does not stop it: ${issues - failing}`);
    // Another list begins at its top, with its first entry.
    await page.locator('.row').nth(3).click();
    await page.locator('.rows').evaluate((rows) => rows.scrollTo(0, 600));
    await page.getByRole('button', { name: /^Active issues/ }).click();
    expect(await page.locator('.rows').evaluate((rows) => rows.scrollTop)).toBe(0);
    expect(await page.locator('[aria-selected=true]').getAttribute('aria-posinset')).toBe('1');
    expect(await page.locator('.box[aria-current=true]').innerText()).toContain('Active issues');
  });

  it('searches while the reader types, names other lists with a match, and shows all again after Escape', async ({
    open,
  }) => {
    const { page } = await open(failed);
    await page.keyboard.press('/');
    await page.keyboard.type('jk poster');
    expect(await found(page)).toBe('Active issues: 0 of 5; search: “jk poster”');
    expect(await page.locator('.rows').innerText()).toBe('Nothing matches here or anywhere else.');
    expect(await page.locator('.box b').allInnerTexts()).toEqual(['0', '0', '0', '0', '0', '0', '0']);
    await page.getByRole('button', { name: 'Clear' }).click();
    expect(await found(page)).toBe('Active issues: 5');
    await page.locator('#search').fill('poster');
    expect(await found(page)).toBe('Active issues: 2 of 5; search: “poster”');
    expect(await opened(page)).toBe('A drinker looks younger than 25');
    // Home moves in the text, arrows move in the list, and Enter reads.
    for (const [key, title] of [
      ['ArrowDown', 'An old logo is shown'],
      ['Home', 'An old logo is shown'],
      ['ArrowUp', 'A drinker looks younger than 25'],
    ] as const) {
      await page.keyboard.press(key);
      expect(await opened(page)).toBe(title);
    }
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.className')).toBe('detail');
    await page.keyboard.press('Escape');
    expect(await page.locator('#search').inputValue()).toBe('');
    expect(await found(page)).toBe('Active issues: 5');
    await expect.poll(() => new URL(page.url()).hash).toBe('');
    await page.locator('#search').fill('#1001');
    await page.locator('.rows').getByRole('button', { name: 'Fixed 1' }).click();
    expect(await opened(page)).toBe('The price leaves out the tax');
    expect(await page.locator('#list [role=img]').getAttribute('aria-label')).toBe('Fixed');
    await page.locator('#search').fill('');
    await page.getByRole('button', { name: /^Not counted/ }).click();
    expect(await page.locator('.detail').innerText()).toContain('Waived by Dana Ito, Legal until 2027-03-31');
  });

  it('shows everything about an issue, with links to the service and to GitHub', async ({ open }) => {
    const { page } = await open(failed);
    const text = await page.locator('.detail').innerText();
    for (const part of ['Stops the check; not on the base', 'Status: open', 'version 3 of 3, 1 issue fixed', 'Upheld'])
      expect(text).toContain(part);
    for (const part of ['Claims about sleep', 'Why CRITICAL', 'Herbal tea: Upheld (2024-03-13)'])
      expect(text).toContain(part);
    expect(await page.getByRole('link', { name: 'Herbal tea' }).getAttribute('href')).toBe(
      'https://rulings.example/2024',
    );
    expect(text).toMatch(/Topic\s+Claims about sleep/);
    expect(await page.locator('#list .stop').count()).toBe(2);
    const hrefs = page.locator('.detail a');
    await expect
      .poll(() => hrefs.nth(1).getAttribute('href'))
      .toMatch(/\/campaigns\/pull\/7\/files#diff-[0-9a-f]{64}$/);
    expect(await hrefs.nth(0).getAttribute('href')).toBe('https://compliance.example/issues/1042');
    expect(await hrefs.nth(2).getAttribute('href')).toMatch(/\/blob\/fedcba\w+\/spots\/summer-30s\.mp4\?raw=true$/);
    await page.keyboard.press('j');
    expect(await page.locator('.detail').innerText()).toMatch(
      /created 2026-11-01\s+updated 2026-11-01\s+by checker 5f0c2f6e-\S+\s/,
    );
    expect(await page.locator('.detail').innerText()).toMatch(
      /All files with the same bytes\s+print\/poster\.png\s+web\/hero\.png/,
    );
  });

  it('shows what is unusual about an issue: its severity, status or number', async ({ open }) => {
    const odd = {
      reportedSeverity: 'BLOCKER',
      status: '',
      referenceNumber: undefined,
      url: 'https://service.example/1',
    };
    const topics = ['One', 'Two'].map((title) => ({ title, issueIds: ['odd'] }));
    const precedents = [{ url: 'https://law.example/3', title: '', decision: '', date: '' }];
    const contents = [aContent({ issues: [anIssue({ id: 'odd', ...odd, precedents }), anIssue()], topics })];
    const { page } = await open(aReport({ contents }));
    const text = await page.locator('.detail').innerText();
    expect(await page.getByRole('link', { name: 'https://law.example/3' }).count()).toBe(1);
    for (const part of ['Reported as BLOCKER', 'Status: none', 'Topics', 'One; Two']) expect(text).toContain(part);
    expect(await page.getByRole('link', { name: 'At the service' }).getAttribute('href')).toBe(odd.url);
    await page.getByRole('checkbox', { name: 'none' }).check();
    expect(await found(page)).toBe('Active issues: 1 of 2; Status at the service: none');
  });

  it('shows in its head when and where it ran, the cost, what is last known, and links to help', async ({ open }) => {
    const message = 'The service did not respond.';
    const submission = { id: 'S', status: 'complete', workflowId: 'W', mayExistTwice: false };
    const lastKnown = { since: '2026-11-01', message };
    const docs = 'https://docs.example';
    const causes = [aCause({ paths: ['spots/summer-30s.mp4'] })];
    const { page } = await open({ ...failed, lastKnown, submission, docs, causes });
    expect(await found(page)).toBe('Active issues: 5');
    // It was judged, whatever else happened to it.
    expect(await page.locator('.place').innerText()).not.toContain('Not judged');
    await page.getByText('About this run: 1 notice').click();
    const text = await page.locator('header').innerText();
    for (const part of [
      'pull request #7',
      'run of 2026-11-14 09:41 UTC',
      'cannot be merged',
      message,
      'Cost: 3 billed',
    ])
      expect(text).toContain(part);
    for (const part of ['Submission S complete, workflow W', 'matched no file']) expect(text).toContain(part);
    expect(await page.locator('header a').last().getAttribute('href')).toBe(`${docs}/troubleshooting.md#issues`);
  });

  it('does not look like a pass or a result in the sandbox', async ({ open }) => {
    const { page } = await open(aReport({ mode: 'sandbox', contents: [harmless] }));
    expect(await page.locator('header.sandbox h1 .icon.sandbox').count()).toBe(1);
    expect(await page.locator('.numbers button').count()).toBe(0);
    expect(await page.locator('header summary').innerText()).toBe('About this run');
  });

  it('unfolds a long list of values, and keeps a chosen value visible', async ({ open }) => {
    const issues = Array.from({ length: 10 }, (_, index) =>
      anIssue({ ruleCode: `R-${index}`, severity: index % 2 === 0 ? 'CRITICAL' : 'MAJOR' }),
    );
    const { page } = await open(aReport({ contents: [aContent({ issues })] }));
    const rules = page.getByRole('checkbox', { name: /^R-/ });
    expect(await rules.count()).toBe(8);
    await page.getByRole('button', { name: 'Show all 10' }).click();
    await page.getByRole('checkbox', { name: /^R-9/ }).check();
    await page.getByRole('checkbox', { name: /^R-0/ }).check();
    expect(await found(page)).toBe('Active issues: 2 of 10; Rule: R-9 or R-0');
    await page.getByRole('button', { name: 'Show fewer' }).click();
    expect(await rules.count()).toBe(9);
    await page.getByRole('checkbox', { name: /^R-0/ }).uncheck();
    expect(await found(page)).toBe('Active issues: 1 of 10; Rule: R-9');
    await page.getByRole('checkbox', { name: /^MAJOR/ }).check();
    expect(await found(page)).toBe('Active issues: 1 of 10; Severity: MAJOR; Rule: R-9');
  });

  it('lists the files of a problem as rows, and says at each of them what happened and what to do', async ({
    open,
  }) => {
    const paths = ['a.mp4', 'b.mp4', 'gone.mp4'];
    const causes = [aCause({ paths, submissionIds: ['s1'] })];
    const contents = paths.slice(0, 2).map((name) => failedFile(name, {}));
    const { page } = await open(aReport({ verdict: 'error', causes, contents }));
    expect(await page.locator('#list .row').innerText()).toContain('and 2 more');
    expect(await page.locator('.detail').innerText()).toMatch(/Submission s1\s+3 files/);
    expect(await page.locator('.related .what').allInnerTexts()).toEqual(['a.mp4', 'b.mp4']);
    expect(await page.locator('.detail li code').allInnerTexts()).toEqual(['gone.mp4']);
    await page.locator('.related button').nth(1).click();
    expect(await opened(page)).toBe('b.mp4');
    expect(await page.locator('.place').innerText()).toMatch(
      /Not judged\. It cannot be read\.\s+(?:1\.\s+)?Author of the change: Fix it\./,
    );
  });

  it('shows the file of a problem once, even if the problem names several of its paths', async ({ open }) => {
    const paths = ['a.mp4', 'copy.mp4'];
    const { page } = await open(
      aReport({ verdict: 'error', causes: [aCause({ paths })], contents: [aContent({ paths, outcome: 'failed' })] }),
    );
    expect(await page.locator('.detail .place').count()).toBe(1);
    expect(await page.locator('.related').count()).toBe(0);
  });

  it('counts the files of a problem that are not shown', async ({ open }) => {
    const names = Array.from({ length: 1_103 }, (_, index) => `${index}.mp4`);
    const contents = names.slice(0, 102).map((name) => failedFile(name, { mime: 'application/pdf' }));
    const { page } = await open(aReport({ verdict: 'error', causes: [aCause({ paths: names })], contents }));
    const text = await page.locator('.detail').innerText();
    for (const part of ['1,103 files', 'and 2 more in the list', 'and 1 more in report.json'])
      expect(text).toContain(part);
  });

  it.for<[string, Partial<Report>, string]>([
    ['there is no pull request', { run: { ...PULL_REQUEST_RUN, pullRequest: undefined } }, '0123'],
    ['it does not change the file', { contents: failed.contents.map((one) => ({ ...one, isChanged: false })) }, 'fedc'],
  ])('links the file at the commit if %s', async ([, over, commit], { open }) => {
    const { page } = await open({ ...failed, ...over });
    const place = page.locator('.place');
    expect((await place.innerText()).includes('not changed by this pull request')).toBe('contents' in over);
    for (const link of await place.locator('a').all())
      expect(await link.getAttribute('href')).toMatch(new RegExp(`/blob/${commit}\\w+/\\w+/[^#]+$`));
  });

  it('unfolds three steps of a fix, and on a phone only one of the other ways out', async ({ open }) => {
    const fix = Array.from({ length: 5 }, (_, index) => author(`Do ${index + 1}.`));
    const others = ['Dismiss it.', 'Waive it.'].map((text) => ifNoProblem(accountOwner(text)));
    const { page } = await open({ ...failed, nextSteps: [...fix, ...others] }, PHONE);
    const fixes = ['Fix it (all of these)', ...[1, 2, 3].map((number) => `Author of the change: Do ${number}.`)];
    const dismiss = 'Owner of the service account: Dismiss it.';
    expect(await steps(page)).toEqual([...fixes, 'If it is not a problem (one of these)', dismiss]);
    await page.getByText('2 more steps').click();
    expect(await page.locator('.steps').innerText()).toContain('Do 5.');
    expect(await page.locator('.steps ol').nth(1).getAttribute('start')).toBe('4');
  });

  it('names the culprit of an error, and what to do', async ({ open }) => {
    const { page } = await open(oneCulprit);
    expect(await found(page)).toBe('Problems: 1');
    expect(await page.locator('.what').allInnerTexts()).toEqual(['It is empty']);
    expect(await page.locator('.row .error').count()).toBe(1);
    expect(await page.locator('.detail .sentences li').allInnerTexts()).toEqual([
      'Author of the change: Remove it.',
      'Anyone: Re-run this job. It is free.',
    ]);
    expect(await page.getByRole('link', { name: 'Re-run this job.' }).count()).toBe(1);
  });

  it('does not list the reason of a dry run as a problem, and shows no problem in red if the check passes', async ({
    open,
  }) => {
    const dryRun = aCause({ reason: 'dry-run', message: 'It was a dry run' });
    const causes = [dryRun, aCause({ message: 'It is `empty`', paths: ['ads/empty.png'] })];
    const contents = [aContent({ source: 'not-sent', outcome: 'unjudged' })];
    const { page } = await open(aReport({ verdict: 'skipped', reason: 'dry-run', isPassing: true, causes, contents }));
    expect(await opened(page)).toBe('It is empty');
    expect(await page.locator('.what').allInnerTexts()).toEqual(['It is empty']);
    expect(await page.locator('.what code').innerText()).toBe('empty');
    expect(await page.locator('.row .forgiven').count()).toBe(1);
    await showFiles(page);
    expect(await page.locator('.place').innerText()).toContain('would be sent: new');
  });

  it('lists the issues of a file as rows that open them, and goes back to the file', async ({ open }) => {
    const { page } = await open(failed);
    await showFiles(page);
    expect(await page.locator('#list .row').first().innerText()).toMatch(
      /summer-30s\.mp4\s+3 issues\s+spots\/\s+video, 12\.3 MB/,
    );
    expect(await page.locator('.related .what').allInnerTexts()).toEqual([
      'A cure is promised without evidence',
      'Small print cannot be read',
      'Music without a named licence',
    ]);
    await page.locator('#search').fill('summer-30s.mp4');
    await page.locator('.related button').nth(1).click();
    expect(await opened(page)).toBe('Small print cannot be read');
    expect(await found(page)).toBe('Active issues: 5');
    expect(await chosen(page)).toBe('#1031');
    await page.goBack();
    expect(await opened(page)).toBe('summer-30s.mp4');
  });

  it('shows all issues of a file whatever the list was filtered by', async ({ open }) => {
    const { page } = await open(failed);
    await page.getByRole('checkbox', { name: /^CRITICAL/ }).check();
    await page.getByRole('button', { name: /^Stops the check/ }).click();
    await page.locator('#search').fill('cure');
    await page.getByRole('button', { name: 'Show all issues of this file' }).click();
    expect(await found(page)).toBe('All issues: 3 of 6; search: “spots/summer-30s.mp4”');
  });

  it('links the file of the entry that is shown, not of the one before', async ({ open }) => {
    const { page } = await open(failed);
    const link = page.locator('.place a').first();
    const paths = new Set<string>();
    for (const key of ['k', 'j', 'j', 'j', 'j']) {
      await page.keyboard.press(key);
      const path = await link.innerText();
      const hash = createHash('sha256').update(path).digest('hex');
      await expect.poll(() => link.getAttribute('href')).toMatch(new RegExp(`#diff-${hash}$|/${path}$`));
      paths.add(path);
    }
    expect(paths.size).toBeGreaterThan(1);
  });

  it('shows an entry from its top, wherever the one before was scrolled to', async ({ open }) => {
    const { page } = await open(failed, { width: 1280, height: 400 });
    const detail = page.locator('.detail');
    expect(await detail.evaluate((one) => (one.scrollTo(0, 100), one.scrollTop))).toBe(100);
    await page.keyboard.press('j');
    await expect.poll(() => detail.evaluate((one) => one.scrollTop)).toBe(0);
  });

  it('moves with j and k, and finds the place again after a reload', async ({ open }) => {
    const { page } = await open(twenty);
    const first = await chosen(page);
    for (const key of ['j', 'j', 'k']) await page.keyboard.press(key);
    expect(await chosen(page)).not.toBe(first);
    await page.locator('.rows').evaluate((rows) => rows.scrollTo(0, 60 * 66));
    await page.locator('.row[aria-posinset="65"]').waitFor();
    // A screen reader still finds the chosen one.
    expect(await page.locator('[aria-selected=true]').getAttribute('aria-posinset')).toBe('2');
    await page.locator('.row[aria-posinset="65"]').click();
    const far = await chosen(page);
    await expect.poll(() => hashOf(page).get('at')).toBe(far.replace('#', 'issue-'));
    await page.reload();
    expect(await chosen(page)).toBe(far);
    const box = await page.locator('[aria-selected=true]').boundingBox();
    expect(box?.y).toBeGreaterThan(0);
    expect(box?.y).toBeLessThan(800);
  });

  it('copies a link to an issue, or to the run if its own address is signed', async ({ open }) => {
    const { page } = await open(failed);
    const copy = async (): Promise<unknown> => {
      await page.getByRole('button', { name: 'Copy link' }).click();
      await page.getByText('The link is copied.').waitFor();
      return await copied(page);
    };
    expect(await copy()).toMatch(/^file:.*report\.html#at=issue-1042$/);
    const signed = `${page.url().replace(/#.*/, '')}?sig=secret`;
    for (const url of [signed, `${signed}#at=issue-1042`]) {
      await page.goto(url);
      expect(await page.getByRole('button', { name: 'Copy link to the run' }).isVisible()).toBe(true);
      expect(await copy()).toBe(failed.run.url);
    }
    await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error("not allowed"))');
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('This browser did not allow copying.').waitFor();
    await page.getByText('This browser did not allow copying.').waitFor({ state: 'hidden' });
  });

  it('opens the list that shows the issue of a link', async ({ open }) => {
    const { page } = await open(failed);
    await page.goto(`${page.url().replace(/#.*/, '')}?new#at=issue-871&box=stops&severity=CRITICAL`);
    expect(await found(page)).toBe('Not counted: 1');
    expect(await chosen(page)).toBe('#871');
  });

  it('copies a waiver for an issue that stops the check, if there is a waivers file', async ({ open }) => {
    const { page } = await open({ ...failed, waiversFile: '.github/waivers.yml' });
    await page.getByRole('button', { name: 'Copy a waiver' }).click();
    await page.getByText('The waiver is copied.').waitFor();
    expect(await copied(page)).toMatch(/^- rule: "HEALTH-CLAIM-01"\n {2}path: "spots\/summer-30s.mp4"\n {2}owner:\n/);
    for (const key of ['j', 'j']) await page.keyboard.press(key);
    expect(await chosen(page)).toBe('#1031');
    expect(await page.getByRole('button', { name: 'Copy a waiver' }).count()).toBe(0);
    await open(failed);
    expect(await page.getByRole('button', { name: 'Copy a waiver' }).count()).toBe(0);
  });

  it('saves the filtered list', async ({ open }) => {
    const { page } = await open(failed);
    await page.getByRole('button', { name: /^Stops the check/ }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as CSV' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('media-compliance.csv');
    const text = await readFile(await file.path(), 'utf8');
    expect(text).toMatch(/^\ufeffSeverity,/);
    expect(text.match(/\r\n/g)).toHaveLength(3);
  });

  it('shows the media; a film opens at the first time in the text, and moves to any other', async ({ open }) => {
    const { page, complaints } = await open(twenty);
    const time = (): Promise<unknown> => page.evaluate('document.querySelector(".detail video").currentTime');
    await page.locator('#search').fill('hero.mp4 0:01');
    await expect.poll(time).toBe(1);
    await page.locator('video').evaluate((film) => Object.assign(film, { currentTime: 2 }));
    await page.locator('.text button', { hasText: '0:01' }).click();
    await expect.poll(time).toBe(1);
    await page.locator('#search').fill('billboard.jpg');
    expect(await page.locator('.detail img').isVisible()).toBe(true);
    await page.locator('#search').fill('terms.pdf');
    expect(await page.locator('.text button').count()).toBe(0);
    expect(await page.locator('figcaption').innerText()).toBe('No preview of PDF. Download to view');
    expect(await page.locator('figcaption a').getAttribute('href')).toMatch(/\/blob\/\w+\/.*terms\.pdf\?raw=true$/);
    expect(complaints).toEqual([]);
  });

  it('opens a film at its start if it is shorter than the time in the text', async ({ open }) => {
    const contents = twenty.contents
      .filter(({ mime }) => mime === 'video/mp4')
      .slice(0, 1)
      .map((content) => ({
        ...content,
        issues: [
          anIssue({ summary: 'It happens at 9:59.' }),
          anIssue({ headline: 'Wrong at 0:01', reasoning: 'As at 0:02.' }),
          anIssue({ reasoning: 'It ends at 0:02.' }),
        ],
      }));
    const { page } = await open(aReport({ contents }));
    const film = page.locator('.detail video');
    await expect.poll(() => film.evaluate((one) => Reflect.get(one, 'readyState'))).toBeGreaterThan(0);
    expect(await film.evaluate((one) => Reflect.get(one, 'currentTime'))).toBe(0);
    expect(await film.getAttribute('aria-label')).toBe(`The checked file ${contents[0]?.paths[0]}`);
    // Another issue of the same film opens at its own time.
    for (const start of [1, 2]) {
      await page.keyboard.press('j');
      await expect.poll(() => film.evaluate((one) => Reflect.get(one, 'currentTime'))).toBe(start);
    }
  });

  it('plays a file that the service could not analyse, and says why any other is not shown', async ({ open }) => {
    const report = aReport({
      verdict: 'error',
      run: PULL_REQUEST_RUN,
      causes: [aCause({ paths: ['film.mp4'] })],
      contents: [
        failedFile('film.mp4', {}),
        failedFile('large.mp4', { size: 10_000_000 }),
        failedFile('damaged.mp4', { size: 1_000 }),
        failedFile('film.png', { mime: 'image/png' }),
        failedFile('fine.mp4', { outcome: 'judged' }),
        failedFile('terms', { mime: 'application/pdf' }),
        failedFile('gone.mp4', { sha256: 'f'.repeat(64) }),
        failedFile('odd\u202e.jpg', { mime: 'image/jpeg' }),
      ],
    });
    const { page } = await open(report);
    await expect.poll(() => page.evaluate('document.querySelector(".detail video")?.duration')).toBeGreaterThan(1);
    expect(await page.locator('figcaption').innerText()).toBe('Open the file in the repository');
    await page.locator(`#media-${'f'.repeat(64)}`).evaluate((media) => media.remove());
    await showFiles(page);
    for (const [name, reason] of [
      ['large.mp4', 'No preview: it would make this page too large.'],
      ['damaged.mp4', 'This browser cannot show the file.'],
      ['film.png', 'This browser cannot show the file.'],
      ['fine.mp4', 'Only files with issues or a failed analysis have a preview.'],
      ['terms', 'No preview of application/pdf.'],
      ['gone.mp4', 'No preview: the file could not be read again.'],
    ] as const) {
      await page.locator('#search').fill(name);
      await expect.poll(() => page.locator('figcaption').innerText()).toContain(reason);
      expect(await page.locator('.detail :is(video, img)').count()).toBe(0);
    }
    // What one file cannot show, the next one can.
    await page.locator('#search').fill('odd');
    expect(await page.locator('.detail img').getAttribute('alt')).toBe('The checked file odd\\u{202e}.jpg');
  });

  it('moves with arrows, Home, End and Enter without a click, and can skip the filters', async ({ open }) => {
    const { page } = await open(failed);
    const focused = (): Promise<unknown> =>
      page.evaluate('document.activeElement.id || document.activeElement.className');
    const keys: [string, string][] = [
      ['ArrowDown', '#1043'],
      ['End', '#975'],
      ['ArrowUp', '#998'],
      ['Home', '#1042'],
    ];
    for (const [key, expected] of keys) {
      await page.keyboard.press(key);
      expect(await chosen(page)).toBe(expected);
    }
    const row = await page.locator('[aria-selected=true]').getAttribute('id');
    expect(await page.locator('#list').getAttribute('aria-activedescendant')).toBe(row);
    // A shortcut of the browser is none of ours.
    for (const key of ['Control+j', 'Meta+j', 'Alt+j']) await page.keyboard.press(key);
    expect(await chosen(page)).toBe('#1042');
    await page.keyboard.press('Enter');
    expect(await focused()).toBe('detail');
    await page.keyboard.press('End');
    expect(await chosen(page)).toBe('#1042');
    await page.reload();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await focused()).toBe('list');
  });

  it('prints the filtered list with all details, and names the filter', async ({ open }) => {
    const { page } = await open(twenty);
    // At once: nothing may be shown that is not printed.
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
    expect(text).toContain(`Active issues: ${CRITICAL} of ${twenty.counts.issues}; Severity: CRITICAL`);
    expect(text).toMatch(/SHA-256 [0-9a-f]{64}/);
    for (const part of [twenty.run.url, 'Fix the files, and push again.', 'matched no file'])
      expect(text).toContain(part);
    expect(text).toContain('No authorised health claim covers it');
    expect(text).toContain('It happens at 0:01 of the file.');
    expect(await paper.locator('video, audio, figcaption').filter({ visible: true }).count()).toBe(0);
    expect(await paper.locator('img').evaluateAll((all) => all.map((one) => one.clientHeight > 0))).toEqual([true]);
    expect(text).not.toContain('Show all issues of this file');
    await page.evaluate('dispatchEvent(new Event("afterprint"))');
    expect(await paper.locator('article').count()).toBe(0);
  });
});
