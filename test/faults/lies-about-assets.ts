import { assetsIn, CRITICAL, FOUND, HIDDEN, type Json, type Lie, OTHER_ID, withAssets } from './lie.ts';

const isTwo = ({ filename }: Json): boolean => String(filename).startsWith('two-');

/** The status of a submission, its assets, and its uploads. */
export const LIES_ABOUT_ASSETS: readonly Lie[] = [
  // The status.
  {
    name: 'an unknown status',
    scenario: HIDDEN,
    edits: { 'submissions/read': (json) => ({ ...json, status: 'archived' }) },
    verdict: 'failing',
    says: /archived/,
  },
  {
    name: '`complete` with a failed asset',
    scenario: { files: [{ match: 'two-', fails: { isRetryable: false } }], statuses: ['complete', 'complete'] },
    verdict: 'error',
    reason: 'asset-failed',
    says: /could not analyse the file/,
  },
  {
    name: '`failed`, and no asset that has failed',
    scenario: HIDDEN,
    edits: { 'submissions/read': (json) => ({ ...json, status: 'failed', errorMessage: '1 of 2 assets failed.' }) },
    verdict: 'fail',
    says: /failed/,
  },
  {
    name: 'counted as clean, while the asset itself is not finished',
    edits: { 'assets/read': (json) => (isTwo(json) ? { ...json, status: 'processing' } : json) },
    inputs: { 'wait-timeout-minutes': '1' },
    verdict: 'error',
    says: /processing/,
  },
  {
    name: 'counted as clean, while the asset itself has failed',
    edits: { 'assets/read': (json) => (isTwo(json) ? { ...json, status: 'failed' } : json) },
    verdict: 'error',
    reason: 'asset-failed',
    says: /could not analyse the file/,
  },
  {
    name: 'progress that is no number',
    scenario: HIDDEN,
    edits: { 'submissions/read': (json) => ({ ...json, progressPercent: 'soon' }) },
    verdict: 'fail',
    says: FOUND,
  },

  // The assets.
  {
    name: 'an asset disappears',
    scenario: { files: [{ match: 'two-', issues: [CRITICAL], reads: 2 }] },
    edits: {
      'submissions/read': (json, nth) =>
        nth < 2 ? json : withAssets((asset, index) => (index === 0 ? asset : undefined))(json),
    },
    verdict: 'failing',
    says: /no asset with the name of this file/,
  },
  {
    name: 'an asset was never there',
    scenario: HIDDEN,
    edits: { 'submissions/read': withAssets((asset, index) => (index === 0 ? asset : undefined)) },
    verdict: 'error',
    reason: 'results',
    says: /no asset with the name of this file/,
  },
  {
    name: 'two assets of one id',
    scenario: HIDDEN,
    edits: {
      'submissions/read': (json) =>
        withAssets((asset) => ({ ...asset, assetId: assetsIn(json)[0]?.['assetId'] }))(json),
    },
    verdict: 'error',
    reason: 'results',
    says: /no asset with the name of this file/,
  },
  {
    name: 'two assets of one file name',
    scenario: HIDDEN,
    edits: { 'assets/read': (json) => ({ ...json, filename: String(json['filename']).replace(/^two-.*/, 'one.png') }) },
    verdict: 'error',
    reason: 'results',
    says: /Its assets: .*one\.png/,
  },
  {
    name: 'the answer of another asset',
    edits: { 'assets/read': (json) => (isTwo(json) ? { ...json, assetId: OTHER_ID } : json) },
    verdict: 'error',
    reason: 'results',
    says: /assetId/,
  },
  {
    name: 'an asset of another submission',
    edits: { 'assets/read': (json) => (isTwo(json) ? { ...json, submissionId: OTHER_ID } : json) },
    verdict: 'error',
    reason: 'results',
    says: /submissionId/,
  },
  {
    name: 'another submission than was asked for',
    edits: { 'submissions/read': (json) => ({ ...json, submissionId: OTHER_ID }) },
    verdict: 'error',
    reason: 'results',
    says: /submissionId/,
  },
  {
    name: 'a creation that answers with an unknown id',
    edits: { 'submissions/create': (json) => ({ ...json, submissionId: OTHER_ID }) },
    verdict: 'error',
    reason: 'results',
    says: new RegExp(OTHER_ID),
  },
  {
    name: 'a creation that answers with a path',
    edits: { 'submissions/create': (json) => ({ ...json, submissionId: '../uploads/url?x=' }) },
    verdict: 'error',
    says: /while reading the submission/,
  },

  // The uploads.
  {
    name: 'one path for two files',
    edits: { 'uploads/direct': (json) => ({ ...json, blobPath: 'w/same.png' }) },
    verdict: 'error',
    reason: 'refused',
    says: /different files under one path/,
  },
  {
    name: 'fewer bytes were stored than sent',
    edits: { 'uploads/direct': (json) => ({ ...json, sizeBytes: 1 }) },
    verdict: 'error',
    reason: 'refused',
    says: /stored 1 bytes/,
  },
];
