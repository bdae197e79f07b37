import { hash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Interruption } from '../../src/causes/cause.ts';
import { run as runAction } from '../../src/run.ts';
import { uploadPending } from '../../src/state/save-artifacts.ts';
import { recordRunner } from '../builders/runners.ts';
import { listedRun, openArtifacts } from '../harness/artifact-service.ts';
import { mergeGroupEvent, pullRequestEvent, pushEvent, type WorkflowEvent } from '../harness/events.ts';
import { type ModelPull, respondAsGitHub, TOKEN } from '../harness/github-model.ts';
import { PUSH_TO_MAIN } from '../harness/run-step.ts';
import { writeFiles } from '../harness/workspace.ts';
import type { Submission } from './asset.ts';
import { later, now, startDates } from './clock.ts';
import { type Outside, onMachine, type Request, type Response } from './network.ts';
import { isSameGate, Run, type RunOptions, type Saved } from './run.ts';
import { type Fault, faultResponse, isActive, Service } from './service.ts';

const GITHUB = 'https://api.github.com';
const INPUTS = {
  'base-url': 'https://service.example',
  'github-token': TOKEN,
  'report-artifact': 'false',
  'state-key': 'the state key of this repository',
  files: '**/*.png',
};

/** One repository at GitHub, the service, and the machines of all runs. */
export class World {
  readonly service = new Service();
  readonly runs: Run[] = [];
  readonly saved: Saved[] = [];
  readonly pulls: Record<number, ModelPull> = {};
  /** The numbers of the pull requests that a commit belongs to. */
  readonly pullsOf: Record<string, number[]> = {};
  /** What goes wrong with requests to GitHub. */
  faults: Fault[] = [];
  readonly #artifacts: ReturnType<typeof openArtifacts>;
  readonly #commits: Record<string, readonly string[]> = {};
  readonly #root = mkdtemp(path.join(tmpdir(), 'gate-world-'));

  /** @param isFreeInRerun whether a re-run may use the names of artifacts again that an earlier attempt has used */
  constructor(isFreeInRerun: boolean) {
    startDates();
    this.#artifacts = openArtifacts(() => GITHUB, { isFreeInRerun });
  }

  /** Starts the action. It goes on while the clock moves. */
  async start(options: RunOptions): Promise<Run> {
    const run = new Run(options, this.saved, this.runs);
    this.runs.push(run);
    const event = this.#eventOf(options);
    const [workspace, temp] = [await this.#makeFolder(), await this.#makeFolder()];
    await writeFiles(workspace, { '.git/HEAD': event.commit, ...Object.fromEntries(options.tree) });
    const eventFile = path.join(temp, 'event.json');
    await writeFile(eventFile, JSON.stringify(event.payload));
    const { id, attempt = 1, job, stop } = options;
    const env = {
      ...PUSH_TO_MAIN,
      GITHUB_EVENT_NAME: event.name,
      GITHUB_EVENT_PATH: eventFile,
      GITHUB_SHA: event.commit,
      GITHUB_REF: event.ref,
      GITHUB_RUN_ID: String(id),
      GITHUB_RUN_ATTEMPT: String(attempt),
      GITHUB_JOB: job,
      GITHUB_WORKSPACE: workspace,
      GITHUB_API_URL: GITHUB,
      RUNNER_TEMP: temp,
    };
    this.#artifacts.beginRun(String(id), listedRun({ ...env }, event.payload));
    let pending = '';
    const { runner, lines, failures } = recordRunner({ ...INPUTS, 'api-key': run.key, ...options.inputs });
    const controller = new AbortController();
    const killed = Promise.withResolvers<void>();
    const outside = this.#outsideOf(run, () => {
      if (stop?.how === 'cancelled') {
        run.isCancelled = true;
        return controller.abort(new Interruption('SIGTERM'));
      }
      run.isDead = true;
      killed.resolve();
    });
    const recorded: typeof runner = {
      ...runner,
      hasArtifacts: true,
      saveForPost: (value) => void (run.isDead || (pending = value)),
      output: (name, value) => void (run.isDead || run.outputs.set(name, value)),
    };
    const work = onMachine(outside, async () => await runAction(env, recorded, controller.signal));
    await Promise.race([work, killed.promise]);
    if (stop?.how === 'killed' && run.isDead) {
      const after = this.#outsideOf(run, () => {}, true);
      await onMachine(after, async () => await uploadPending(pending, runner.log));
    }
    run.endedAt = now();
    run.lines.push(...lines);
    run.failures.push(...failures);
    const folder = run.outputs.get('report-dir');
    if (folder && !run.isDead) run.report = JSON.parse(await readFile(path.join(folder, 'report.json'), 'utf8'));
    return run;
  }

  #eventOf({ event = 'push', from = 'branch', ...options }: RunOptions): WorkflowEvent {
    const { branch: headRef, commit, pull: number = 0, base: baseSha = '' } = options;
    if (event === 'merge_group') return mergeGroupEvent({ number, baseSha, mergeSha: commit });
    if (event === 'pull_request') {
      const mergeSha = hash('sha1', baseSha + commit);
      this.#commits[mergeSha] = [baseSha, commit];
      return pullRequestEvent({ number, headRef, headSha: commit, baseSha, mergeSha, from });
    }
    const pushed = pushEvent(commit, `refs/heads/${headRef}`);
    return event === 'push' ? pushed : { ...pushed, name: event };
  }

  async #makeFolder(): Promise<string> {
    return await mkdtemp(path.join(await this.#root, 'folder-'));
  }

  #outsideOf(run: Run, onStop: () => void, isPost = false): Outside {
    const isGone = (): boolean => run.isDead && !isPost;
    const { stop, attempt = 1, id, hasBlockedUploads } = run.options;
    const placeOf = (name: string) => ({ run: String(id), job: String(attempt), name });
    return {
      connects: (url) => {
        const connects = url.origin === GITHUB || this.service.connects(url);
        run.faults += Number(!connects);
        return connects;
      },
      respond: async (request) => {
        if (isGone()) return 'silence';
        if (request.url.origin === GITHUB) return this.#respondAsGitHub(run, request);
        run.requests += 1;
        const before = this.service.submissions.length;
        const response = this.service.respond(run, request);
        const fault = this.service.exchanges.at(-1)?.fault;
        if (fault) run.faults += 1;
        if (fault?.how === 404 && fault.until === undefined) run.hasMissed = true;
        const isArrived = typeof response === 'object' && response.status < 300;
        const isMoved = request.url.pathname.endsWith('/retry');
        if (isArrived && (isMoved || request.url.pathname.endsWith('/submissions')))
          run.created.push(...this.service.submissions.slice(before));
        if (run.requests === stop?.after) onStop();
        if (isGone()) return 'silence';
        if (request.url.pathname.endsWith('/submissions')) await later(this.service.manners.creationTakes ?? 0);
        return response;
      },
      upload: (name, archive) => {
        const place = placeOf(name);
        if (isGone()) throw new Error('Failed to CreateArtifact: (500)');
        if (!this.#artifacts.create(place))
          throw new Error('Failed to CreateArtifact: Received non-retryable error: Failed request: (409) Conflict');
        if (hasBlockedUploads) throw new Error('Failed to FinalizeArtifact: (500)');
        const artifact = this.#artifacts.finalize(place, archive);
        const saved: Saved = { id: artifact, name, by: run, at: now(), knows: this.#knownTo(run) };
        this.saved.push(saved);
        run.saved.push(saved);
        return artifact;
      },
      listArtifacts: () => {
        const ofRun = this.#artifacts.ofRun(String(id)).filter(({ expired }) => !expired);
        return ofRun.map((each) => ({ id: each.id, name: each.name, size: each.size_in_bytes, digest: each.digest }));
      },
      deleteArtifact: (name) => {
        const deleted = isGone() ? undefined : this.#artifacts.remove(placeOf(name));
        if (deleted === undefined) throw new Error('Failed to DeleteArtifact: artifact not found');
        this.#forget(deleted);
      },
    };
  }

  #respondAsGitHub(run: Run, { method, url, headers, body }: Request): Response {
    const { artifacts, archives } = this.#artifacts;
    const request = {
      method,
      path: decodeURIComponent(url.pathname),
      query: Object.fromEntries(url.searchParams),
      headers: { ...headers, host: `${url.hostname}:443` },
      body: body.length > 0 ? JSON.parse(body.toString('utf8')) : undefined,
    };
    const fault = this.faults.find((each) => isActive(each) && each.on.test(`${method} ${request.path}`));
    if (fault) {
      if (fault.times !== undefined) fault.times -= 1;
      run.faults += 1;
      return faultResponse(fault);
    }
    const [, id] = /\/artifacts\/(\d+)\/zip$/.exec(request.path) ?? [];
    const archive = archives[Number(id)];
    if (archive && artifacts.some((each) => each.id === Number(id) && !each.expired)) {
      const saved = this.saved.find((each) => each.id === Number(id));
      if (saved) run.downloaded.push(saved);
      return { status: 200, body: archive, headers: { 'content-type': 'application/zip' } };
    }
    const { pulls, pullsOf } = this;
    const model = { artifacts, archives, pulls, pullsOf, commits: this.#commits };
    return respondAsGitHub({ request, model, comments: [], statuses: [] });
  }

  /** What a state that a run saves must know: besides what the run knows, what other steps of it have saved. */
  #knownTo(run: Run): ReadonlySet<Submission> {
    // A state that GitHub does not give cannot be joined.
    const others = this.saved.filter(({ by }) => run.faults === 0 && by !== run && by.options.id === run.options.id);
    return new Set([...run.knows, ...others.flatMap(({ by, knows }) => (isSameGate(by, run) ? [...knows] : []))]);
  }

  expire({ id }: Saved): void {
    const { artifacts } = this.#artifacts;
    const index = artifacts.findIndex((each) => each.id === id);
    const found = artifacts[index];
    if (found) artifacts.splice(index, 1, { ...found, expired: true });
    this.#forget(id);
  }

  #forget(artifact: number): void {
    const index = this.saved.findIndex(({ id }) => id === artifact);
    // One that has expired is forgotten already when its name is taken again.
    if (index !== -1) this.saved.splice(index, 1);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(await this.#root, { recursive: true, force: true });
  }
}
