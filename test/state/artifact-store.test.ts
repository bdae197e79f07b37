import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Artifact } from '../../src/github/api-schemas.ts';
import { ArtifactError } from '../../src/github/artifacts.ts';
import { readContext } from '../../src/github/context.ts';
import { createArtifactStore, formatPending } from '../../src/state/artifact-store.ts';
import type { StateDocument } from '../../src/state/document.ts';
import { artifactNames } from '../../src/state/gate-id.ts';
import { signingKey } from '../../src/state/seal.ts';
import type { StateKind } from '../../src/state/store.ts';
import { binding, document, known, knownPath, open } from './samples.ts';
import { zip } from './zip.ts';

const BINDING = binding();
const KEY = signingKey('sk_live_0');
const [FIRST, SECOND] = artifactNames('media', BINDING);
const ignore = (): void => undefined;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'gate-artifacts-'));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(folder, { recursive: true });
});

/** The artifacts of one run, and gates that save there. */
function startRun(blocked: readonly string[] = [], refusal?: Error) {
  const stored = new Map<string, { id: number; text: string }>();
  const removed: string[] = [];
  const pending: string[] = [];
  let lastId = 0;

  const save = async (kind: StateKind, state: StateDocument): Promise<string> => {
    const store = createArtifactStore({
      gateName: 'media',
      binding: BINDING,
      key: KEY,
      context: readContext({}),
      api: {
        artifacts: async (name): Promise<readonly Artifact[]> => {
          const found = stored.get(name);
          const facts = {
            size: 1,
            isExpired: false,
            createdAt: BINDING.savedAt,
            headBranch: 'main',
            headSha: undefined,
            isOwn: true,
          };
          return found ? [{ ...facts, id: found.id, name, runId: BINDING.runId }] : [];
        },
        artifactArchive: async (wanted) => {
          const text = [...stored.values()].find(({ id }) => id === wanted)?.text ?? '';
          return zip([{ name: 'state.json', data: text }]);
        },
        pullRequest: async () => await Promise.reject(new Error('asked')),
        pullRequestsOf: async () => [],
      },
      upload: async ({ name, file }) => {
        if (refusal) throw refusal;
        if (blocked.includes(name) || stored.has(name)) throw new ArtifactError('name-taken', 'taken');
        lastId += 1;
        stored.set(name, { id: lastId, text: await readFile(file, 'utf8') });
      },
      remove: async (name) => {
        removed.push(name);
        stored.delete(name);
      },
      onPending: (_, uploads) => void pending.push(formatPending(uploads, 7)),
      claimFolder: () => folder,
      signal: new AbortController().signal,
      log: { info: ignore, notice: ignore, warning: ignore, group: async (_, work) => await work() },
    });
    const saving = store.save(kind, state);
    const ended = new AbortController();
    saving.catch(ignore).finally(() => ended.abort());
    while (!ended.signal.aborted) {
      await vi.advanceTimersByTimeAsync(1_000);
      await new Promise((resolve) => void setImmediate(resolve));
    }
    return await saving;
  };
  const savedAs = (name: string): StateDocument | undefined => {
    const { text } = stored.get(name) ?? {};
    return text === undefined ? undefined : JSON.parse(JSON.parse(text).payload).document;
  };
  const names = (name: string) =>
    savedAs(name)
      ?.contents.map((each) => each.name)
      .toSorted();
  return { save, savedAs, names, removed, pending };
}

function state(seed: string): StateDocument {
  return document({ contents: [known(seed)], paths: [knownPath(seed, seed)], open: [open(`s-${seed}`, [seed])] });
}

describe('a state in an artifact', () => {
  it('is saved under the first name, and left to the post step until it is', async () => {
    const run = startRun();
    const file = await run.save('state', state('a'));
    expect(file).toBe(path.join(folder, 'state', 'state.json'));
    expect(run.savedAs(FIRST)).toEqual(state('a'));
    expect(run.pending.map((text) => text && JSON.parse(text))).toEqual([
      { uploads: [{ names: [FIRST, SECOND], file }], retentionDays: 7 },
      '',
    ]);
  });

  it('that is open has only what is open', async () => {
    const run = startRun();
    await run.save('open', state('a'));
    const [name] = artifactNames('media', { ...BINDING, kind: 'open' });
    expect(run.savedAs(name)).toEqual(document({ open: state('a').open }));
  });

  it('of a second gate goes under the second name, with what the first has saved', async () => {
    const run = startRun();
    await run.save('state', state('a'));
    await run.save('state', state('b'));
    expect([run.names(FIRST), run.names(SECOND), run.removed]).toEqual([['a.png'], ['a.png', 'b.png'], []]);
  });

  it('of a third gate replaces the one that another contains', async () => {
    const run = startRun();
    for (const seed of ['a', 'b', 'c']) await run.save('state', state(seed));
    expect([run.names(FIRST), run.removed]).toEqual([['a.png', 'b.png', 'c.png'], [FIRST]]);
    expect(run.names(SECOND)).toEqual(['a.png', 'b.png']);
    await run.save('state', state('d'));
    expect([run.names(SECOND), run.removed]).toEqual([
      ['a.png', 'b.png', 'c.png', 'd.png'],
      [FIRST, SECOND],
    ]);
  });

  it('goes under the second name if an unfinished upload blocks the first', async () => {
    const run = startRun([FIRST]);
    await run.save('state', state('a'));
    expect(run.names(SECOND)).toEqual(['a.png']);
  });

  it('cannot be saved if both are blocked, and stays with the post step', async () => {
    const run = startRun([FIRST, SECOND]);
    await expect(run.save('state', state('a'))).rejects.toThrow('both names of the artifact are taken');
    expect(run.pending.at(-1)).not.toBe('');
  });

  it('is not tried again after any other refusal', async () => {
    const refusal = new ArtifactError('storage-full', 'full');
    await expect(startRun([], refusal).save('state', state('a'))).rejects.toBe(refusal);
  });
});
