import type { Action, ActionInput } from '../action-yml.ts';

/** What a command line asks for. */
export type Trial =
  | { readonly kind: 'help' }
  | {
      readonly kind: 'run';
      /** As given: relative to the folder in which the command was entered. */
      readonly folder: string;
      /** The emulator's scenario; `undefined` if a real service or none is used. */
      readonly scenario: string | undefined;
      /** By name, as a workflow has them under `with`. */
      readonly inputs: Readonly<Record<string, string>>;
    };

/** A command line that cannot be run. The message says what is allowed. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Filled in by GitHub, so they have no use here. */
const NOT_FLAGS = ['github-token', 'matrix'];

/** Reads a command line such as `../media --scenario outage --fail-on-severity MAJOR`. */
export function parseTrial(args: readonly string[], action: Action): Trial {
  const flags = new Map(
    action.inputs.filter(({ name }) => !NOT_FLAGS.includes(name)).map((input) => [input.name, input]),
  );
  const folders: string[] = [];
  const inputs: Record<string, string> = {};
  let scenario: string | undefined;
  for (let at = 0; at < args.length; at += 1) {
    const argument = args[at] ?? '';
    if (argument === '--help') return { kind: 'help' };
    if (!argument.startsWith('--')) {
      folders.push(argument);
      continue;
    }
    const [, name = '', inline] = /^--([^=]*)(?:=([^]*))?$/.exec(argument) ?? [];
    const input = flags.get(name);
    if (!input && name !== 'scenario') throw new UsageError(`There is no flag --${name}. ${listFlags(action)}`);
    const next = args[at + 1];
    const isSwitch = input !== undefined && isBoolean(input);
    const takesNext = inline === undefined && next !== undefined && (isSwitch ? /^(true|false)$/.test(next) : true);
    const value = inline ?? (takesNext ? next : isSwitch ? 'true' : undefined);
    if (value === undefined) throw new UsageError(`--${name} needs a value.`);
    if (takesNext) at += 1;
    if (name === 'scenario') scenario = value;
    // A flag that is given twice is an input of two lines.
    else inputs[name] = name in inputs ? `${inputs[name]}\n${value}` : value;
  }
  return { kind: 'run', folder: onlyFolder(folders), scenario, inputs: checkService(inputs, scenario) };
}

function onlyFolder(folders: readonly string[]): string {
  const [folder, ...others] = folders;
  if (folder === undefined)
    throw new UsageError('Name the folder to check: npm run try -- ../your-repository --dry-run');
  if (others.length > 0) {
    throw new UsageError(`Name one folder; got ${folders.join(' and ')}. Put a value with spaces in quotes.`);
  }
  return folder;
}

/** Exactly one of three: nothing is sent, the emulator is used, or a real service is. */
function checkService(inputs: Readonly<Record<string, string>>, scenario: string | undefined) {
  const isDryRun = inputs['dry-run'] === 'true';
  if (scenario !== undefined && 'base-url' in inputs) {
    throw new UsageError('--scenario starts its own service: leave out either --scenario or --base-url.');
  }
  if (scenario === undefined && !isDryRun && !('base-url' in inputs && 'api-key' in inputs)) {
    throw new UsageError(
      'Say which service to use: --dry-run (none), --scenario NAME (the emulator), or --base-url URL with --api-key KEY.',
    );
  }
  return inputs;
}

export function listFlags(action: Action): string {
  const names = action.inputs.map(({ name }) => name).filter((name) => !NOT_FLAGS.includes(name));
  return `Allowed: ${['help', 'scenario', ...names].map((name) => `--${name}`).join(', ')}.`;
}

function isBoolean({ defaultValue }: ActionInput): boolean {
  return defaultValue === 'true' || defaultValue === 'false';
}
