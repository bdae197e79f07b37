import type { Trouble, UploadStep } from '../harness/artifact-service.ts';

/** A step of an artifact's upload that fails, always or once. */
export interface UploadCase {
  readonly step: UploadStep;
  readonly trouble: NonNullable<ReturnType<Trouble>>;
  readonly lasting: 'always' | 'once';
}

const STEPS: readonly UploadStep[] = ['CreateArtifact', 'put', 'FinalizeArtifact'];

const TROUBLES = ['silence', 'reset', 403, 500, 503] as const;

export const UPLOAD_CASES: readonly UploadCase[] = [
  ...STEPS.flatMap((step) => TROUBLES.map((trouble): UploadCase => ({ step, trouble, lasting: 'always' }))),
  ...STEPS.map((step): UploadCase => ({ step, trouble: 500, lasting: 'once' })),
];
