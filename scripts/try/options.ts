import { parseArgs } from 'node:util';
import type { Action, ActionInput } from '../action-yml.ts';

/** What a command line asks for. */
export interface Trial {
  /** As given: relative to the folder in which the command was entered. */
  readonly folder: string;
  /** Whether to print the whole log and summary. */
  readonly isVerbose: boolean;
  /** The emulator's scenario; `undefined` if a real service or none is used. */
  readonly scenario: string | undefined;
  /** By name, as a workflow has them under `with`. */
  readonly inputs: Readonly<Record<string, string>>;
}

/** GitHub fills in these inputs. */
const NOT_FLAGS: readonly string[] = ['github-token', 'matrix'];

/**
 * Reads a command line such as `../media --scenario outage --fail-on-severity MAJOR`.
 *
 * @returns undefined for `--help`
 */
export function parseTrial(args: readonly string[], { inputs: declared }: Action): Trial | undefined {
  const flags = declared.filter(({ name }) => !NOT_FLAGS.includes(name));
  const switches = new Set(flags.filter(isBoolean).map(({ name }) => `--${name}`));
  assertFlags(args, [...OWN_FLAGS, ...flags.map(({ name }) => `--${name}`)], switches);
  const { values, positionals } = parseArgs({
    args: args.map((arg, at) => (switches.has(arg) && !BOOLEAN.test(args[at + 1] ?? '') ? `${arg}=true` : arg)),
    allowPositionals: true,
    options: {
      help: { type: 'boolean' },
      verbose: { type: 'boolean' },
      scenario: { type: 'string' },
      ...Object.fromEntries(flags.map(({ name }) => [name, { type: 'string', multiple: true } as const])),
    },
  });
  const { help, verbose, scenario, ...given } = values;
  if (help) return undefined;
  // A flag that is given twice is an input of two lines.
  const inputs = Object.fromEntries(Object.entries(given).map(([name, lines]) => [name, [lines].flat().join('\n')]));
  const [folder, ...others] = positionals;
  if (folder === undefined || others.length > 0)
    throw new Error(
      `Name one folder, and put -- before your flags: ${COMMAND}. Got ${positionals.join(' ') || 'none'}.`,
    );
  assertOneService(inputs, scenario);
  const isOffline = scenario === undefined && !('base-url' in inputs);
  return {
    folder,
    isVerbose: verbose === true,
    scenario,
    inputs: isOffline ? { ...inputs, 'dry-run': 'true' } : inputs,
  };
}

const OWN_FLAGS: readonly string[] = ['--help', '--verbose', '--scenario'];
const BOOLEAN = /^(?:true|false)$/;

/** Names the flag that is wrong. */
function assertFlags(args: readonly string[], flags: readonly string[], switches: ReadonlySet<string>): void {
  for (const arg of args.filter((each) => each.startsWith('--'))) {
    const [flag = '', value] = arg.split(/=(.*)/s);
    if (flag !== '--' && !flags.includes(flag))
      throw new Error(`There is no flag ${flag}. For a list: npm run try -- --help`);
    if (value !== undefined && switches.has(flag) && !BOOLEAN.test(value))
      throw new Error(`${flag} takes true or false, not ${value}. ${flag} alone is true.`);
  }
}

const COMMAND = 'npm run try -- ../your-repository';

/** Without a service, the run is a dry run. */
function assertOneService(inputs: Trial['inputs'], scenario: string | undefined): void {
  if (scenario !== undefined && 'base-url' in inputs)
    throw new Error('--scenario starts its own service: leave out either --scenario or --base-url.');
  if (scenario === undefined && inputs['dry-run'] !== 'true' && 'base-url' in inputs !== 'api-key' in inputs)
    throw new Error('A real service needs both: --base-url URL and --api-key KEY.');
}

/** The inputs as flags, in the groups of action.yml. */
export function listFlags({ inputs }: Action): string {
  const groups = Map.groupBy(
    inputs.filter(({ name }) => !NOT_FLAGS.includes(name)),
    ({ group }) => group,
  );
  const lines = [...groups].flatMap(([group, members]) => [
    `\n${group}`,
    ...members.map(({ name, description }) => `  --${name.padEnd(26)} ${firstSentence(description)}`),
  ]);
  return lines.join('\n');
}

function firstSentence(text: string): string {
  return (/^.*?\.(?= |$)/.exec(text)?.[0] ?? text).replaceAll('`', '');
}

function isBoolean({ defaultValue }: ActionInput): boolean {
  return defaultValue === 'true' || defaultValue === 'false';
}
