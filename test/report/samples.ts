import type { Report } from '../../src/report/report.ts';
import { anAsset, anIssue, aReport } from './fixtures.ts';

/** Typical reports. */

const service = (number: number): string => `https://compliance.example/issues/${number}`;

const healthClaim = anIssue({
  referenceNumber: 1042,
  ruleCode: 'HEALTH-CLAIM-01',
  headline: 'A cure is promised without evidence',
  summary: 'At 00:14 the narrator says that the drink "cures sleeplessness in three days". No study is named.',
  reasoning:
    'A promise to cure is a medicinal claim. It may be made for authorised medicines only, and this product is a food.\nThe claim is spoken and shown as text, so an edit of the sound alone would not be enough.',
  isNew: true,
  url: service(1042),
  precedents: [
    {
      url: 'https://rulings.example/2024/herbal-tea',
      title: 'Herbal tea: "cures insomnia"',
      decision: 'Upheld, the advertisement must not appear again',
      date: '2024-03-13',
    },
    {
      url: 'https://rulings.example/2022/sleep-drink',
      title: 'Sleep drink',
      decision: 'Upheld in part',
      date: '2022-09-07',
    },
  ],
});

const alcohol = anIssue({
  referenceNumber: 1043,
  ruleCode: 'ALCOHOL-AGE-02',
  headline: 'A drinker looks younger than 25',
  summary: 'The woman at the bar holding a glass appears to be about 20 years old.',
  reasoning: 'People shown drinking must be, and look, at least 25.',
  isNew: true,
  url: service(1043),
});

const contrast = anIssue({
  referenceNumber: 1031,
  severity: 'MAJOR',
  ruleCode: 'LEGAL-TEXT-04',
  headline: 'Small print cannot be read',
  summary: 'The credit terms are 9 pixels high on a moving background and stay for 1.2 seconds.',
  reasoning: 'Conditions must stay on screen long enough to be read at normal speed.',
  isNew: true,
  url: service(1031),
});

const music = anIssue({
  referenceNumber: 998,
  severity: 'MINOR',
  status: 'ACKNOWLEDGED',
  ruleCode: 'MUSIC-RIGHTS-01',
  headline: 'Music without a named licence',
  summary: 'A recognisable melody plays from 00:02 to 00:21.',
  isNew: true,
  url: service(998),
});

const logo = anIssue({
  referenceNumber: 975,
  severity: 'INFO',
  ruleCode: 'BRAND-09',
  headline: 'An old logo is shown',
  summary: 'The logo in the lower right corner was replaced in 2025.',
  isNew: true,
  url: service(975),
});

const waived = anIssue({
  referenceNumber: 871,
  severity: 'MAJOR',
  standing: 'waived',
  ruleCode: 'LEGAL-TEXT-04',
  headline: 'Small print cannot be read',
  summary: 'The address line is 10 pixels high.',
  isNew: false,
  waiver: { owner: 'Dana Ito, Legal', reason: 'Printed separately on the pack.', expires: '2027-03-31' },
});

const fixed = anIssue({ referenceNumber: 1001, ruleCode: 'PRICE-03', headline: 'The price leaves out the tax' });

const clean = Array.from({ length: 340 }, (_, index) =>
  anAsset({
    paths: [`assets/stock/photo-${String(index + 1).padStart(3, '0')}.jpg`],
    mime: 'image/jpeg',
    category: 'image',
    size: 2_400_000 + index * 1_111,
    source: 'reused',
    sourceReason: 'same bytes',
    analysedAt: '2026-10-02T08:00:00Z',
  }),
);

export const failed: Report = aReport({
  headline: '2 new critical issues in 2 of 345 files',
  nextSteps: [
    'Open the issues that stop the check and change spots/summer-30s.mp4 and print/poster.png, then push again: only the changed files are sent and paid for.',
    'Or, if an issue is none, dismiss it in the compliance service and re-run this job: that costs nothing.',
    'Or ask an owner to accept it in the waivers file, with a reason and an expiry date.',
  ],
  notices: ['The pattern docs/**/*.pdf matched no file.'],
  assets: [
    anAsset({
      paths: ['spots/summer-30s.mp4'],
      sourceReason: 'changed since version 2',
      versionNumber: 3,
      versionCount: 3,
      size: 48_200_000,
      issues: [healthClaim, contrast, music],
      fixed: [fixed],
      topics: [{ title: 'Claims about sleep', issueIds: [healthClaim.id, contrast.id] }],
    }),
    anAsset({
      paths: ['print/poster.png', 'web/hero.png'],
      mime: 'image/png',
      category: 'image',
      size: 1_830_000,
      sourceReason: 'new',
      issues: [alcohol, logo],
    }),
    anAsset({
      paths: ['print/leaflet.pdf'],
      mime: 'application/pdf',
      category: 'document',
      size: 920_000,
      source: 'reused',
      sourceReason: 'same bytes',
      analysedAt: '2026-10-02T08:00:00Z',
      versionNumber: 2,
      versionCount: 2,
      issues: [waived],
    }),
    anAsset({
      paths: ['audio/radio-20s.wav'],
      mime: 'audio/wav',
      category: 'audio',
      size: 3_500_000,
    }),
    ...clean,
  ],
});

export const passed: Report = aReport({
  headline: 'no issue reaches CRITICAL in 343 files',
  nextSteps: ['Nothing has to be done. One MINOR issue is worth a look before you publish.'],
  assets: [
    anAsset({
      paths: ['spots/summer-30s.mp4'],
      versionNumber: 4,
      versionCount: 4,
      sourceReason: 'changed since version 3',
      issues: [music],
    }),
    anAsset({ paths: ['print/poster.png'], mime: 'image/png', category: 'image', fixed: [alcohol] }),
    anAsset({ paths: ['audio/radio-20s.wav'], mime: 'audio/wav', category: 'audio' }),
    ...clean,
  ],
});

export const notJudged: Report = aReport({
  verdict: 'error',
  reason: 'asset-failed',
  headline: '1 of 3 files could not be analysed',
  nextSteps: [
    'Export spots/autumn.mov again and push it.',
    'If it fails again, give the submission id below to the support of the service.',
  ],
  causes: [
    {
      reason: 'asset-failed',
      message: 'The service could not decode it: "moov atom not found".',
      fix: 'Export it again; the file is not complete.',
      path: 'spots/autumn.mov',
    },
  ],
  submission: { id: '11111111-1111-4111-8111-111111111111', status: 'failed', workflowId: undefined },
  assets: [
    anAsset({
      paths: ['spots/autumn.mov'],
      mime: 'video/quicktime',
      outcome: 'failed',
      retries: 2,
      analysedAt: undefined,
    }),
    anAsset({ paths: ['spots/winter.mp4'] }),
    anAsset({
      paths: ['print/poster.png'],
      mime: 'image/png',
      category: 'image',
      source: 'reused',
      sourceReason: 'same bytes',
    }),
  ],
});

export const notChecked: Report = aReport({
  verdict: 'skipped',
  reason: 'no-key',
  mode: '',
  headline: 'secrets are not given to pull requests from forks, so nothing was sent',
  nextSteps: ['A maintainer can run the check by pushing this branch to the repository itself.'],
  submission: { id: '', status: '', workflowId: undefined },
  assets: [],
});
