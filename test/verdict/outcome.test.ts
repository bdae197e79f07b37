import { expect, it } from 'vitest';
import { missingTokenError } from '../../src/github/github-error.ts';
import { endingAfter, isDefect } from '../../src/verdict/outcome.ts';
import { STARTED } from '../../src/verdict/progress.ts';

it("a request to GitHub that failed is GitHub's problem, not a defect of the action", () => {
  const error = missingTokenError({ operation: 'list artifacts', needs: 'actions: read', isRepeatable: true });
  const ending = endingAfter(error, STARTED);
  expect(ending).toEqual({
    kind: 'failed',
    causes: [{ reason: 'github', message: error.message, fix: error.fix }],
  });
  expect(isDefect({ progress: STARTED, ending })).toBe(false);
});
