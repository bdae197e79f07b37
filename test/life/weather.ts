import type { Scenario } from '../../emulator/emulator.ts';
import type { Trouble, UploadStep } from '../harness/artifact-service.ts';
import type { DiskFailure } from '../harness/broken-disk.ts';
import type { Fault as GitHubFault } from '../harness/github-model.ts';
import type { Random } from './random.ts';
import type { DayAtService } from './repository-life.ts';

type ServiceFault = NonNullable<Scenario['faults']>[number];

/** The faults of a run. */
export interface Weather extends DayAtService {
  readonly text: readonly string[];
  readonly github?: readonly GitHubFault[];
  readonly artifacts?: Trouble;
  /** The faults of the service or GitHub may end the run in an error. */
  readonly isHarsh: boolean;
  readonly losesState: boolean;
  /** The list of artifacts cannot be read at all. */
  readonly hidesStates: boolean;
  readonly stop?: Stop;
  /** RUNNER_TEMP, in which the run makes its state, fails after this many calls. */
  readonly disk?: { readonly code: DiskFailure; readonly after: number };
  /** The machine's clock jumps, after this many lines of the log. */
  readonly jumps?: readonly (readonly [lines: number, ms: number])[];
}

/** The run is stopped after this number of requests to the service, or of lines in its log. */
export interface Stop {
  readonly signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGKILL';
  /** The run's machine is lost, so there is no post step. */
  readonly isLost: boolean;
  readonly after: number;
  readonly of: 'requests' | 'lines';
}

const READS = ['submissions/read', 'assets/read', 'assets/issues'] as const;
const REPEATED = ['uploads/direct', ...READS] as const;
const STEPS: readonly UploadStep[] = ['CreateArtifact', 'put', 'FinalizeArtifact', 'DeleteArtifact'];

export const FINE: Weather = { text: [], isHarsh: false, losesState: false, hidesStates: false };

export function makeWeather(random: Random): Weather {
  const parts = [
    random.chance(0.3) ? serviceWeather(random) : FINE,
    random.chance(0.12) ? githubWeather(random) : FINE,
    random.chance(0.15) ? artifactWeather(random) : FINE,
    random.chance(0.15) ? stopped(random) : FINE,
    random.chance(0.12) ? diskWeather(random) : FINE,
    random.chance(0.12) ? clockWeather(random) : FINE,
  ];
  return {
    ...Object.assign({}, ...parts),
    text: parts.flatMap(({ text }) => text),
    isHarsh: parts.some((part) => part.isHarsh),
    losesState: parts.some((part) => part.losesState),
    hidesStates: parts.some((part) => part.hidesStates),
  };
}

/** A night in which every file is analysed again, and every analysis fails or hangs. */
export function badNight(random: Random): Weather {
  const analyses = random.pick(['fails', 'hangs'] as const);
  return { ...FINE, analyses, isHarsh: true, text: [`every analysis ${analyses}`] };
}

function serviceWeather(random: Random): Weather {
  const burst = { status: random.pick([429, 500, 503]), times: random.upTo(3) };
  const on = random.pick(REPEATED);
  const mild: readonly ServiceFault[] = random.pick([
    [{ on, ...burst }],
    [{ on, ...burst }],
    [{ on, reset: true, times: burst.times }],
    [{ on, reset: true, when: 'after-work', times: 1 }],
    [{ on: 'submissions/create', status: 429, times: burst.times }],
    [{ on: 'submissions/create', status: random.pick([500, 502]), times: 1 }],
  ]);
  if (random.chance(0.6)) return { ...FINE, service: mild, text: [`service: ${JSON.stringify(mild)}`] };
  const harsh: readonly ServiceFault[] = random.pick([
    READS.map((each) => ({ on: each, status: 503 })),
    READS.map((each) => ({ on: each, reset: true as const })),
    [{ on: 'uploads/direct', status: 503 }],
    [{ on: 'assets/retry', ...burst }],
    [{ on: 'submissions/create', status: random.pick([503, 504, 402, 422]) }],
    [{ on: 'submissions/create', reset: true, when: 'after-work' }],
    [{ on: 'submissions/create', status: 201, body: '{"submissionId":"', when: 'after-work' }],
    [{ on: 'submissions/create', status: random.pick([500, 502]), when: 'after-work', times: burst.times }],
  ]);
  return { ...FINE, service: harsh, isHarsh: true, text: [`service: ${JSON.stringify(harsh)}`] };
}

function githubWeather(random: Random): Weather {
  const on = random.pick(['/actions/artifacts', '/zip', '/storage/']);
  // Without a status the connection breaks. An archive may arrive cut off, or its storage may send a page.
  const broken = [
    { status: 200, body: 'PK\x03\x04' },
    { status: 404, body: '<h1>Not here</h1>' },
  ];
  const how = random.pick([{ status: 500 }, { status: 503 }, {}, ...(on === '/storage/' ? broken : [])]);
  const isHarsh = random.chance(0.5);
  const fault: GitHubFault = { on, ...how, ...(!isHarsh && { times: random.upTo(2) }) };
  const hidesStates = isHarsh && on === '/actions/artifacts';
  // A re-run does not replace a state that it cannot read, so the state may be lost.
  const text = [`GitHub: ${JSON.stringify(fault)}`];
  return { text, github: [fault], isHarsh, losesState: isHarsh, hidesStates };
}

function artifactWeather(random: Random): Weather {
  const step = random.pick(STEPS);
  // After a 400 at its end, an upload blocks its name for the rest of the run.
  const response = random.pick([500, 500, 400, 'reset', 'full', 'silence', 'lingers'] as const);
  const isLasting = response !== 'silence' && random.chance(0.4);
  const nth = random.upTo(3);
  let seen = 0;
  const artifacts: Trouble = (at) => {
    if (at !== step) return undefined;
    seen += 1;
    return isLasting || seen === nth ? response : undefined;
  };
  // The action repeats a request after a single 500.
  const losesState = isLasting || response !== 500;
  return { ...FINE, artifacts, losesState, text: [`artifacts: ${response} at ${isLasting ? 'every' : nth} ${step}`] };
}

/** If RUNNER_TEMP fails, the state goes to the system's folder, so nothing may be lost. */
function diskWeather(random: Random): Weather {
  const code = random.pick(['ENOSPC', 'ENOSPC', 'EACCES'] as const);
  const after = code === 'EACCES' ? 0 : random.upTo(6) - 1;
  const text = [`disk: ${code} after ${after} calls`];
  return { ...FINE, disk: { code, after }, text };
}

/** A response of GitHub or the service shows the right date, so nothing may change. */
function clockWeather(random: Random): Weather {
  const lines = random.chance(0.3) ? 0 : random.upTo(30);
  const days = (random.chance(0.5) ? 1 : -1) * random.upTo(400);
  return { ...FINE, jumps: [[lines, days * 86_400_000]], text: [`the clock jumps ${days} days after ${lines} lines`] };
}

function stopped(random: Random): Weather {
  const stop: Stop = {
    signal: random.pick(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL', 'SIGKILL']),
    isLost: random.chance(0.3),
    ...random.pick([
      { of: 'requests', after: random.upTo(14) },
      { of: 'lines', after: random.upTo(60) },
    ] as const),
  };
  const how = stop.isLost ? ', and its machine is lost' : '';
  return { ...FINE, stop, text: [`${stop.signal} after ${stop.after} ${stop.of}${how}`] };
}
