import { author } from '../../src/causes/cause.ts';
import type { Report, ReportedIssue } from '../../src/report/report.ts';
import { aContent, anIssue, aReport, PULL_REQUEST_RUN } from '../builders/reports.ts';

function numbered(referenceNumber: number, ruleCode: string, over: Partial<ReportedIssue>): ReportedIssue {
  const url = `https://compliance.example/issues/${referenceNumber}`;
  return anIssue({ referenceNumber, ruleCode, isNew: true, url, ...over });
}

const healthClaim = numbered(1042, 'HEALTH-CLAIM-01', {
  headline: 'A cure is promised without evidence',
  summary: 'At 00:14 the narrator says that the drink "cures sleeplessness in three days". No study is named.',
  reasoning: 'A promise to cure may be made for authorised medicines only.\nAn edit of the sound is not enough.',
  precedents: [{ url: 'https://rulings.example/2024', title: 'Herbal tea', decision: 'Upheld', date: '2024-03-13' }],
});
const BRAND_CHECKER = { sidekickId: '5f0c2f6e-0000-4000-8000-000000000002' };
const alcohol = numbered(1043, 'ALCOHOL-AGE-02', { headline: 'A drinker looks younger than 25', ...BRAND_CHECKER });
const contrast = numbered(1031, 'LEGAL-TEXT-04', { severity: 'MAJOR', headline: 'Small print cannot be read' });
const music = numbered(998, 'MUSIC-RIGHTS-01', { severity: 'MINOR', headline: 'Music without a named licence' });
const logo = numbered(975, 'BRAND-09', {
  severity: 'INFO',
  status: 'AWAITING_HUMAN_INPUT',
  headline: 'An old logo is shown',
  ...BRAND_CHECKER,
});
const waived = numbered(871, 'LEGAL-TEXT-04', {
  severity: 'MAJOR',
  standing: 'waived',
  waiver: { owner: 'Dana Ito, Legal', reason: 'Printed separately on the pack.', expires: '2027-03-31' },
});

const IMAGE = { mime: 'image/png', category: 'image' } as const;
const REUSED = { source: 'reused', sourceReason: 'unchanged', analysedAt: '2026-10-02T08:00:00Z' } as const;
const clean = Array.from({ length: 40 }, (_, index) =>
  aContent({ paths: [`contents/stock/photo-${index + 1}.png`], size: 2_400_000 + index * 1_111, ...IMAGE, ...REUSED }),
);

/** A typical failing run. One of its issues has every optional field. */
export const failed: Report = aReport({
  run: PULL_REQUEST_RUN,
  headline: '2 new critical issues in 2 of 43 files',
  nextSteps: [author('Change spots/summer-30s.mp4 and print/poster.png, then push again.')],
  notices: ['The pattern docs/**/*.pdf matched no file.'],
  contents: [
    aContent({
      paths: ['spots/summer-30s.mp4'],
      isChanged: true,
      sourceReason: 'changed',
      versionNumber: 3,
      versionCount: 3,
      issues: [healthClaim, contrast, music],
      topics: [{ title: 'Claims about sleep', issueIds: [healthClaim.id, contrast.id] }],
    }),
    aContent({ paths: ['print/poster.png', 'web/hero.png'], ...IMAGE, issues: [alcohol, logo] }),
    aContent({ paths: ['print/leaflet.pdf'], mime: 'application/pdf', category: 'document', issues: [waived] }),
    ...clean,
  ],
});
