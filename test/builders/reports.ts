import { author } from '../../src/causes/cause.ts';
import { countsOf } from '../../src/report/build.ts';
import { describeRun } from '../../src/report/headline.ts';
import type { Report, ReportedCause, ReportedContent, ReportedIssue } from '../../src/report/report.ts';
import type { Severity } from '../../src/service/issue.ts';
import { nextSerial } from './serial.ts';

/** Builders of reports. Counts follow from the contents. */

export function anIssue(over: Partial<ReportedIssue> = {}): ReportedIssue {
  const serial = nextSerial();
  const severity: Severity = over.severity ?? 'CRITICAL';
  const standing = over.standing ?? 'active';
  return {
    id: `00000000-0000-4000-8000-${String(serial).padStart(12, '0')}`,
    summary: 'The claim "clinically proven" is shown without a source.',
    severity,
    status: 'OPEN',
    ruleCode: 'AD-101',
    referenceNumber: serial,
    sidekickId: undefined,
    headline: 'Unproven health claim',
    reasoning: 'A health claim needs evidence that the viewer can find.',
    precedents: [],
    standing,
    isNew: undefined,
    failsGate: standing === 'active' && severity === 'CRITICAL',
    url: undefined,
    waiver: undefined,
    whyNotWaived: undefined,
    ...over,
  };
}

export function aContent(over: Partial<ReportedContent> = {}): ReportedContent {
  const serial = nextSerial();
  return {
    paths: [`media/file-${serial}.mp4`],
    isChanged: undefined,
    size: 12_345_678,
    sha256: serial.toString(16).padStart(64, '0'),
    mime: 'video/mp4',
    category: 'video',
    source: 'sent',
    sourceReason: 'new',
    analysedAt: '2026-11-14T09:30:00Z',
    isLastKnown: false,
    submissionId: '11111111-1111-4111-8111-111111111111',
    assetId: `22222222-2222-4222-8222-${String(serial).padStart(12, '0')}`,
    versionNumber: 1,
    versionCount: undefined,
    outcome: 'result',
    issues: [],
    topics: [],
    ...over,
  };
}

export function aCause(over: Partial<ReportedCause> = {}): ReportedCause {
  const steps = [author('Fix it.')];
  return {
    reason: 'asset-failed',
    message: 'It cannot be read.',
    steps,
    isChanged: undefined,
    ...over,
  };
}

/** A run outside a repository of GitHub, so that reports have no links. */
const RUN: Report['run'] = {
  repository: '',
  commit: '0123456789abcdef0123456789abcdef01234567',
  url: 'https://github.com/acme/campaigns/actions/runs/1',
  subject: 'branch',
  serverUrl: 'https://github.com',
  branch: 'autumn',
  folder: '',
  pullRequest: undefined,
};

/** A run in which reports link paths to GitHub. */
export const PULL_REQUEST_RUN: Report['run'] = {
  ...RUN,
  subject: 'pull request',
  repository: 'acme/campaigns',
  pullRequest: {
    number: 7,
    headCommit: 'fedcba9876543210fedcba9876543210fedcba98',
    url: 'https://github.com/acme/campaigns/pull/7',
  },
};

const POLICY: Report['policy'] = {
  failOnSeverity: 'CRITICAL',
  failOnIssues: 'all',
  ignoreStatuses: ['RESOLVED', 'DISMISSED'],
  onServiceError: 'error',
};

export function aReport(over: Partial<Report> = {}): Report {
  const contents = over.contents ?? [];
  const files = contents.flatMap(({ paths }) => paths).length;
  const hasBaseline = contents.some(({ issues }) => issues.some(({ isNew }) => isNew !== undefined));
  const counts = over.counts ?? countsOf(contents, files, hasBaseline);
  const isFailing = contents.some(({ issues }) => issues.some(({ failsGate }) => failsGate));
  const verdict = over.verdict ?? (isFailing ? 'fail' : 'pass');
  const run = {
    gate: 'media-compliance',
    judgedAt: '2026-11-14T09:41:00Z',
    verdict,
    reason: verdict === 'fail' ? 'issues' : '',
    isPassing: verdict === 'pass' || verdict === 'skipped',
    mode: 'live',
    nextSteps: [],
    causes: [],
    notices: [],
    unchecked: [],
    policy: POLICY,
    submission: {
      id: '11111111-1111-4111-8111-111111111111',
      status: 'complete',
      mayExistTwice: false,
    },
    waiversFile: undefined,
    contact: undefined,
    fitsCodeScanning: true,
    run: RUN,
    ...over,
    counts,
    contents,
  } as const;
  return { ...run, ...describeRun(run), ...over };
}

/** Texts that runners, shells, disks or renderers interpret if they are not escaped. */
export const HOSTILE_TEXTS: readonly string[] = [
  '::error::owned',
  'a\r::warning::b\n::stop-commands::x',
  '%0A::set-env name=OWNED::1',
  '::add-mask::verdict',
  'text ##[error]owned',
  'EOF\nverdict=pass\nghadelimiter_00000000-0000-0000-0000-000000000000\nverdict=pass',
  'x,file=/etc/passwd,line=1::owned',
  '../../../../etc/passwd ..\\..\\windows',
  '${{ secrets.COMPLIANCE_API_KEY }} $(touch /tmp/owned)',
  '__proto__',
  '!{a,b}[a-z]*',
  '\u001b[31mred\u001b[0m \u0007',
  'abc\u202egpj.exe \u2066x\u2069 \u200e',
  '\u2028::error::x\u2029',
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  '</summary></details></code></td></table><h1>owned</h1>',
  '"><svg onload=alert(1)>',
  '</script><script>globalThis.owned = true</script>',
  '<!-- comment --> <!--> ]]> <![CDATA[x]]>',
  '| a | b |\n| --- | --- |\n| c | d |',
  '# heading\n\n- list\n1. one\n> quote\n```\ncode\n```\n---\n===',
  '[link](javascript:alert(1)) ![image](https://evil.example/x.png) <https://evil.example>',
  '[link]: https://evil.example "x"',
  '@octocat and @acme/legal please see #12, GH-34, acme/repo#56 :tada:',
  'https://evil.example www.evil.example me@evil.example ftp://evil.example',
  '$x^2$ $$y$$ ~~gone~~ **bold** __bold__ *it* _it_ `code` ^1 [^1]',
  '&lt;b&gt; &#64;octocat &amp; &copy;',
  'back\\slash \\n \\\\',
  'emoji 👩‍👩‍👧 naïve 漢字 עברית',
  'lone \ud800 surrogate \udfff',
  '\u0000\u0001\u0008\u000b\u007f\u0085\ufffe\uffff',
  '',
  'x'.repeat(5_000),
];
