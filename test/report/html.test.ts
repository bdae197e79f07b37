import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBrowser } from '../../scripts/find-program.ts';
import { openBrowser } from '../../scripts/pictures/browser.ts';
import { renderHtml } from '../../src/report/html.ts';
import { type EmbeddedMedia, mediaToEmbed } from '../../src/report/html-media.ts';
import type { Report, ReportedAsset } from '../../src/report/report.ts';
import { anAsset, anIssue, aReport, HOSTILE_TEXTS } from './fixtures.ts';
import { failed, notChecked, notJudged, passed } from './samples.ts';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

function shown(path: string, size: number, mime = 'image/png', issues = [anIssue()]): ReportedAsset {
  return anAsset({ paths: [path, `copy-of-${path}`], size, mime, issues });
}

it('counts what it leaves out: paths, problems, clean files', () => {
  const paths = Array.from({ length: 53 }, (_, index) => `copy-${index}.png`);
  const causes = Array.from({ length: 1_002 }, (_, index) => ({
    reason: 'service' as const,
    message: `Problem ${index}.`,
    fix: 'Try again.',
  }));
  const clean = Array.from({ length: 20_004 }, () => anAsset());
  const page = renderHtml(aReport({ assets: [anAsset({ paths, issues: [anIssue()] }), ...clean], causes }));
  expect(page).toContain('and 3 more</p>');
  expect(page).toContain('<p>2 more problems in report.json</p>');
  expect(page).toContain('<p>4 more files in report.json</p>');
});

describe('mediaToEmbed', () => {
  it.each([
    ['all that fit, worst first', [shown('a', 5), shown('b', 5)], ['a', 'b']],
    ['none without an issue', [shown('a', 5, 'image/png', [])], []],
    ['none that a browser cannot show', [shown('a', 5, 'application/pdf'), shown('b', 5, 'text/html')], []],
    ['none over its own limit', [shown('a', 11), shown('b', 10)], ['b']],
    [
      'smaller ones after one that no longer fits',
      [shown('a', 9), shown('b', 9), shown('c', 9), shown('d', 2)],
      ['a', 'b', 'd'],
    ],
  ])('takes %s', (_, assets, expected) => {
    expect(mediaToEmbed(assets, { each: 10, total: 20 })).toEqual(expected);
  });
});

describe('renderHtml', () => {
  it('counts what it cuts', () => {
    const precedent = { url: '', title: 'One', decision: '', date: '' };
    const crowded = anIssue({ precedents: Array.from({ length: 55 }, () => precedent) });
    const page = renderHtml(
      aReport({
        verdict: 'error',
        notices: Array.from({ length: 202 }, () => 'A notice.'),
        nextSteps: Array.from({ length: 24 }, () => 'A step.'),
        assets: [
          anAsset({
            issues: [crowded],
            topics: Array.from({ length: 14 }, () => ({ title: 'Claims', issueIds: [crowded.id] })),
            fixed: Array.from({ length: 506 }, () => anIssue()),
          }),
          anAsset({ paths: Array.from({ length: 27 }, (_, index) => `clean-${index}`) }),
          ...Array.from({ length: 5_007 }, () => anAsset({ paths: ['a', 'b'], outcome: 'failed' })),
        ],
      }),
    );
    for (const told of [
      '16 files, the least severe, are left out of this page',
      'and 3 more notices',
      'and 4 more steps',
      'and 5 more precedents',
      'and 6 more fixed issues',
      'and 7 more paths',
      'and 9 more topics',
    ])
      expect(page).toContain(told);
  });
});

/** A page of every hostile text in every place, that tries to run code and to reach the network. */
function hostileReport(): Report {
  const attacks = [
    ...HOSTILE_TEXTS,
    '<img src=https://evil.example/x.png onerror="globalThis.owned=1">',
    '"><script>globalThis.owned=1</script><link rel=stylesheet href=https://evil.example/x.css>',
    '<style>@import "https://evil.example/x.css"</style><iframe src=https://evil.example></iframe>',
  ];
  const assets = attacks.map((attack) =>
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
  const cause = {
    reason: 'service',
    message: attacks.join(' '),
    fix: attacks.join(' '),
    path: attacks.join(' '),
  } as const;
  return aReport({
    assets,
    causes: [cause],
    notices: attacks,
    nextSteps: attacks,
    headline: attacks.join(' '),
    gate: attacks[7] ?? '',
  });
}

describe.skipIf(!findBrowser())('report.html in a browser', () => {
  const folder = mkdtempSync(join(tmpdir(), 'report-'));
  let browser: Browser;

  beforeAll(async () => {
    browser = await openBrowser();
  });

  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  /** Opens the page from disk, as a reader does, and keeps what it asked for and complained about. */
  async function open(
    report: Report,
    media?: ReadonlyMap<string, EmbeddedMedia>,
    colorScheme: 'light' | 'dark' = 'light',
  ): Promise<{ page: Page; requests: string[]; complaints: string[] }> {
    const file = join(folder, 'report.html');
    writeFileSync(file, renderHtml(report, media));
    const page = await browser.newPage({ colorScheme });
    const requests: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => requests.push(request.url().slice(0, 60)));
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('dialog', (dialog) => {
      complaints.push(dialog.message());
      void dialog.dismiss();
    });
    await page.goto(pathToFileURL(file).href, { waitUntil: 'load' });
    return {
      page,
      requests: requests.filter((url) => !url.startsWith('file:') && !url.startsWith('data:')),
      complaints,
    };
  }

  it.each([
    ['failed', failed, 'light'],
    ['failed', failed, 'dark'],
    ['passed', passed, 'light'],
    ['notJudged', notJudged, 'dark'],
    ['notChecked', notChecked, 'light'],
  ] as const)('has no accessibility violation: %s, %s, %s', async (_, report, scheme) => {
    const media = new Map([['print/poster.png', { mime: 'image/png', base64: PNG }]]);
    const { page, complaints } = await open(report, media, scheme);
    await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');
    // The page's own policy lets no script in, so axe comes through the debugger's evaluation.
    await page.evaluate(await readFile(axeFile, 'utf8'));
    const violations = await page.evaluate(
      'axe.run(document, { resultTypes: ["violations"] }).then((all) => all.violations.map((one) => one.id + ": " + one.nodes.map((node) => node.html.slice(0, 120)).join(" | ")))',
    );
    expect(violations).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('runs nothing that the report says and asks nobody for anything', async () => {
    const { page, requests, complaints } = await open(hostileReport());
    expect(await page.evaluate('globalThis.owned')).toBeUndefined();
    expect(requests).toEqual([]);
    expect(complaints).toEqual([]);
    expect(await page.locator('script').count()).toBe(1);
    expect(await page.locator('img, iframe, link, object, embed, svg[onload]').count()).toBe(0);
    expect(await page.locator('a[href^="javascript:" i]').count()).toBe(0);
    expect(await page.locator('[data-file]').count()).toBe(HOSTILE_TEXTS.length + 3);
    await page.close();
  });

  it('is stopped by its own policy where something got in all the same', async () => {
    const { page } = await open(aReport());
    const blocked = await page.evaluate(
      `new Promise((resolve) => {
        const seen = new Set();
        addEventListener('securitypolicyviolation', (event) => { seen.add(event.effectiveDirective); if (seen.size === 3) resolve([...seen].sort()); });
        const image = document.createElement('img'); image.src = 'https://evil.example/x.png'; document.body.append(image);
        const frame = document.createElement('iframe'); frame.src = 'https://evil.example/'; document.body.append(frame);
        fetch('https://evil.example/').catch(() => undefined);
      })`,
    );
    expect(blocked).toEqual(['connect-src', 'frame-src', 'img-src']);
    await page.close();
  });

  it('shows the media beside its issues', async () => {
    const media = new Map<string, EmbeddedMedia>([
      ['print/poster.png', { mime: 'image/png', base64: PNG }],
      ['spots/summer-30s.mp4', { mime: 'text/html', base64: PNG }],
      ['print/leaflet.pdf', { mime: 'image/png', base64: '"onerror="x' }],
    ]);
    const { page } = await open(failed, media);
    const width = await page.evaluate(
      `document.querySelector('[data-file*="print/poster.png"] figure img').naturalWidth`,
    );
    expect(width).toBe(1);
    expect(await page.locator('figure').count()).toBe(1);
    await page.close();
  });

  it('filters by severity, standing, age and file, with the keyboard alone', async () => {
    const { page } = await open(failed);
    const told = page.locator('#told');
    const visible = page.locator('[data-issue]:visible');
    expect(await told.textContent()).toBe('6 of 6 issues shown');
    expect(await visible.count()).toBe(7);

    await page.getByLabel('Critical').focus();
    await page.keyboard.press('Space');
    expect(await told.textContent()).toBe('4 of 6 issues shown');
    await page.getByLabel('Counted as').selectOption('waived');
    expect(await told.textContent()).toBe('1 of 6 issues shown');
    expect(await page.locator('[data-file]:visible').count()).toBe(1);
    await page.getByRole('button', { name: 'Show all' }).press('Enter');
    expect(await told.textContent()).toBe('6 of 6 issues shown');

    await page.getByLabel('Since the base branch').selectOption({ label: 'also on the base branch' });
    expect(await told.textContent()).toBe('1 of 6 issues shown');
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByLabel('Since the version before').selectOption({ label: 'fixed' });
    expect(await visible.count()).toBe(1);
    expect(await told.textContent()).toBe('0 of 6 issues shown');
    expect(await visible.textContent()).toContain('fixed since the version before');
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByLabel('Status').selectOption('ACKNOWLEDGED');
    expect(await told.textContent()).toBe('1 of 6 issues shown');
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByLabel('File', { exact: true }).fill('HERO');
    expect(await told.textContent()).toBe('2 of 6 issues shown');
    expect(await page.locator('[data-file]:visible').count()).toBe(1);
    await page.close();
  });

  it('shows the files of a run that has no issue to filter by', async () => {
    const assets = ['a.mov', 'b.mov'].map((path) => anAsset({ paths: [path], outcome: 'failed' }));
    const { page, complaints } = await open(
      aReport({ verdict: 'error', reason: 'asset-failed', green: false, assets }),
    );
    expect(await page.locator('[data-file]:visible').count()).toBe(2);
    expect(await page.locator('form').count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.evaluate('dispatchEvent(new Event("beforeprint"))');
    expect(await page.locator('details:not([open])').count()).toBe(0);
    await page.close();
  });

  it('prints everything, without its controls', async () => {
    const { page } = await open(failed);
    const folded = page.locator('details:not([open])');
    expect(await folded.count()).toBeGreaterThan(0);
    await page.evaluate('dispatchEvent(new Event("beforeprint"))');
    expect(await folded.count()).toBe(0);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('#filters').isVisible()).toBe(false);
    await page.close();
  });

  it('opens with 10,000 files and 50,000 issues, worst first', async () => {
    const assets = Array.from({ length: 10_000 }, () =>
      anAsset({
        issues: [anIssue(), ...Array.from({ length: 4 }, () => anIssue({ severity: 'INFO', reasoning: undefined }))],
      }),
    );
    const { page } = await open(aReport({ assets }));
    expect(await page.locator('[data-issue]').count()).toBe(5_000);
    expect(await page.locator('[data-severity=INFO]').count()).toBe(0);
    expect(await page.getByText('45,000 issues, the least severe, are left out of this page').count()).toBe(1);
    await page.close();
  });
});
