import { parseArgs } from 'node:util';
import { type Emulator, type RecordedRequest, startEmulator, type Workspace } from './emulator.ts';
import { readScenario, readyScenarios } from './scenario.ts';
import { LIVE_KEY, SANDBOX_KEY } from './workspace.ts';

const USAGE = `npm run emulator -- [options]

  --port N            where the service listens (default: any free port)
  --scenario NAME     what is found and what fails: a ready scenario (${readyScenarios().join(', ')})
                      or a JSON file, as emulator/README.md describes it
  --subscriber URL    receives webhook events; may be given more than once
  --help              this text`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string' },
      scenario: { type: 'string' },
      subscriber: { type: 'string', multiple: true },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return;
  }
  const scenario = values.scenario === undefined ? {} : await readScenario(values.scenario);
  const subscribers = (values.subscriber ?? []).map((url) => ({ url: new URL(url).href }));
  const emulator = await startEmulator({
    port: portOf(values.port),
    onRequest: (request) => console.log(lineOf(request)),
  });
  const live = emulator.workspace({ key: LIVE_KEY, scenario, subscribers });
  emulator.workspace({ key: SANDBOX_KEY, scenario, subscribers });
  console.log(welcome(emulator, live));

  // A second signal ends the process as usual, if closing does not end.
  const end = (): void => void emulator.close();
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
}

function portOf(text: string | undefined): number {
  if (text === undefined) return 0;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new Error(`--port takes a port number, not "${text}".`);
  return port;
}

function welcome(emulator: Emulator, live: Workspace): string {
  const url = `${emulator.baseUrl}/api/integrations`;
  const key = `-H 'X-API-Key: ${live.key}'`;
  const creation = JSON.stringify({ assets: [{ blobPath: `${live.id}/hello.pdf` }] });
  return `base url     ${emulator.baseUrl}
storage      ${emulator.storageUrl}
live key     ${LIVE_KEY}
sandbox key  ${SANDBOX_KEY}

Upload, create, read:
printf '%%PDF-1.7\\n' | curl -s ${key} -F 'file=@-;filename=hello.pdf;type=application/pdf' ${url}/uploads/direct
ID=$(curl -s ${key} --json '${creation}' ${url}/submissions | sed 's/.*"submissionId":"\\([^"]*\\)".*/\\1/')
curl -s ${key} ${url}/submissions/$ID
`;
}

/** One line per request. Paths come from clients, so line breaks in them are escaped. */
function lineOf(request: RecordedRequest): string {
  const took = (request.endedAt ?? request.at) - request.at;
  const outcome = request.status ?? (request.aborted ? 'aborted' : 'no response');
  const path = JSON.stringify(request.path).slice(1, -1);
  return `${new Date(request.at).toISOString()} ${request.server} ${request.method} ${path} ${outcome} ${took} ms`;
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
