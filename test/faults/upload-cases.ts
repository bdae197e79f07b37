import type { Trouble, UploadStep } from '../harness/artifact-service.ts';

/** A step of an artifact's upload that goes wrong, for ever or once. */
export interface UploadCase {
  readonly step: UploadStep;
  readonly trouble: NonNullable<ReturnType<Trouble>>;
  readonly lasting: 'always' | 'once';
}

const STEPS: readonly UploadStep[] = ['CreateArtifact', 'put', 'FinalizeArtifact'];

export const UPLOAD_CASES: readonly UploadCase[] = STEPS.flatMap((step) => [
  ...(['silence', 'reset', 403, 500, 503] as const).map(
    (trouble): UploadCase => ({ step, trouble, lasting: 'always' }),
  ),
  { step, trouble: 500, lasting: 'once' },
]);
