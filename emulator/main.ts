import { parseArgs } from 'node:util';
import type { Emulator } from './emulator.ts';
import { READY_SCENARIOS } from './ready-scenarios.ts';
import { readScenario } from './scenario.ts';
import { serveUntilSignal } from './serve.ts';
import { LIVE_KEY, SANDBOX_KEY } from './workspace.ts';

const USAGE = `npm run emulator -- [options]

  --scenario NAME     what is found and what fails: a ready scenario (${Object.keys(READY_SCENARIOS).join(', ')}),
                      a JSON file, as emulator/README.md describes it, or the JSON itself
  --port N            where the service listens (default: any free port)
  --storage-port N    where presigned uploads go (default: any free port)
  --host ADDRESS      the address to listen on (default: 127.0.0.1); 0.0.0.0 lets containers and other machines in
  --help              this text`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      scenario: { type: 'string', default: '{}' },
      port: { type: 'string', default: '0' },
      'storage-port': { type: 'string', default: '0' },
      host: { type: 'string', default: '127.0.0.1' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return;
  }
  const emulator = await serveUntilSignal({
    scenario: await readScenario(values.scenario),
    port: portOf('--port', values.port),
    storagePort: portOf('--storage-port', values['storage-port']),
    host: values.host,
  });
  console.log(welcome(emulator));
}

function portOf(flag: string, text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new Error(`${flag} must be a port number, not "${text}".`);
  return port;
}

function welcome({ baseUrl, storageUrl }: Emulator): string {
  return `base url     ${baseUrl}
storage      ${storageUrl}
live key     ${LIVE_KEY}
sandbox key  ${SANDBOX_KEY}`;
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
