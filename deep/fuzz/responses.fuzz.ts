import path from 'node:path';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Scenario } from '../../emulator/emulator.ts';
import { ENDPOINTS, type Endpoint } from '../../emulator/http.ts';
import { parseJson } from '../../src/lib/format.ts';
import { endpointOf, type FrontFault, startFront } from '../../test/harness/front.ts';
import { png } from '../../test/harness/media.ts';
import { makeWorkspace } from '../../test/harness/workspace.ts';
import { anyJsonEdits, editJson, type JsonEdit } from './json-edits.ts';
import { fuzz, runSound } from './play.ts';

const TWO = {
  match: 'two-',
  issues: [
    { severity: 'CRITICAL', ruleCode: 'AD-17' },
    { severity: 'MINOR', ruleCode: 'AD-17' },
  ],
};

/** Together they call every endpoint. In all but the sandbox `two.png` has a CRITICAL issue. */
const SCENES: Readonly<Record<string, Scenario>> = {
  plain: { files: [TWO] },
  'by presigned address': { files: [TWO], directCap: 10 },
  'with a retry': { files: [{ ...TWO, fails: { times: 1 } }] },
  sandbox: {},
};

interface ResponseCase {
  readonly scene: keyof typeof SCENES;
  /** An earlier run with unchanged responses left a state. */
  readonly isLater: boolean;
  readonly changes: readonly {
    readonly on: Endpoint;
    /** From 1; null: all of them. */
    readonly nth: number | null;
    readonly edits: readonly JsonEdit[];
  }[];
}

const anyCase: fc.Arbitrary<ResponseCase> = fc.record({
  scene: fc.constantFrom(...Object.keys(SCENES)),
  isLater: fc.constantFrom(false, false, false, true),
  changes: fc.array(
    fc.record({
      // Responses that decide the verdict are changed more often.
      on: fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom('submissions/read', 'assets/read', 'assets/issues') },
        { weight: 2, arbitrary: fc.constantFrom(...ENDPOINTS) },
      ),
      nth: fc.constantFrom(null, null, 1, 2, 3),
      edits: anyJsonEdits,
    }),
    { minLength: 1, maxLength: 3 },
  ),
});

/** The signed address stands where the path of the upload should be. */
const SIGNED_PATH: ResponseCase = {
  scene: 'by presigned address',
  isLater: false,
  changes: [
    { on: 'uploads/url', nth: null, edits: [{ do: 'copy', at: 2, from: 1 }] },
    { on: 'assets/read', nth: null, edits: [{ do: 'cut', share: 0 }] },
  ],
};

it('responses of the service, changed on their way to the action', async () => {
  await using media = await makeWorkspace({ 'one.png': png('one'), 'two.png': png('two'), 'copy/one.png': png('one') });
  await fuzz(
    anyCase,
    async ({ scene, isLater, changes }, emulator) => {
      const asked = new Map<Endpoint, number>();
      const sent: (readonly [Endpoint, string])[] = [];
      const fault = (line: string): FrontFault | undefined => {
        const endpoint = endpointOf(line);
        if (!endpoint) return undefined;
        const nth = (asked.get(endpoint) ?? 0) + 1;
        asked.set(endpoint, nth);
        const edits = changes
          .filter((each) => each.on === endpoint && (each.nth === null || each.nth === nth))
          .flatMap((each) => each.edits);
        return (body) => {
          const text = editJson(body, edits);
          sent.push([endpoint, text]);
          return text;
        };
      };
      await using front = await startFront(emulator.baseUrl, { fault });
      await using folder = await makeWorkspace({});
      const isSandbox = scene === 'sandbox';
      const service = emulator.workspace({ scenario: SCENES[scene] ?? {}, mode: isSandbox ? 'sandbox' : 'live' });
      const options = {
        workspace: media.path,
        service,
        inputs: {
          'wait-timeout-minutes': '2',
          'state-file': path.join(folder.path, 'state.json'),
          'issue-url': 'https://service.example/{submissionId}/{assetId}/{issueId}?n={referenceNumber}',
          ...(isSandbox && { 'sandbox-event': 'asset.processing.completed' }),
        },
      } as const;
      if (isLater) await runSound({ ...options, baseUrl: emulator.baseUrl });
      const run = await runSound({ ...options, baseUrl: front.url });
      const most = isLater ? 2 : 1;
      expect(run.service.submissions.length, 'More than one submission was created').toBeLessThanOrEqual(most);
      if (isSandbox || run.outputs['verdict'] !== 'pass') return;
      expect(new Set(changes.map(({ on }) => on)).size, 'A pass, although one kind was changed').toBeGreaterThan(1);
      const critical = sent.find(([endpoint, text]) => hasOpenCritical(endpoint, text));
      expect(critical, 'A pass, although a response had a CRITICAL issue').toBeUndefined();
    },
    [SIGNED_PATH],
  );
});

/** Whether a response, as it was sent, has an open CRITICAL issue that the action has to see. */
function hasOpenCritical(endpoint: Endpoint, text: string): boolean {
  if (endpoint !== 'assets/read' && endpoint !== 'assets/issues') return false;
  const response = parseJson(text);
  const list = isObject(response) && 'issues' in response ? response['issues'] : response;
  return (
    Array.isArray(list) &&
    list.some((issue) => isObject(issue) && !is(issue['severity'], MILD) && !is(issue['status'], CLOSED))
  );
}

const MILD = /^(major|minor|info)$/i;
const CLOSED = /^(resolved|dismissed)$/i;

function is(value: unknown, pattern: RegExp): boolean {
  return typeof value === 'string' && pattern.test(value);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
