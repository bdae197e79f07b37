import { nearest } from '../../src/inputs/reader.ts';
import type { Action, ActionInput } from '../action-yml.ts';

/** What a command line asks for. */
export type Trial =
  | { readonly kind: 'help' }
  | {
      readonly kind: 'run';
      /** As given: relative to the folder in which the command was entered. */
      readonly folder: string;
      /** Whether to print the whole log and summary. */
      readonly isVerbose: boolean;
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
export const NOT_FLAGS: readonly string[] = ['github-token', 'matrix'];

/** What people write for true and false. */
const OTHER_BOOLEANS = /^(yes|no|on|off|0|1|true|false)$/i;

/** Reads a command line such as `../media --scenario outage --fail-on-severity MAJOR`. */
export function parseTrial(args: readonly string[], action: Action): Trial {
  const flags = new Map(
    action.inputs.filter(({ name }) => !NOT_FLAGS.includes(name)).map((input) => [input.name, input]),
  );
  const folders: string[] = [];
  const inputs: Record<string, string> = {};
  let scenario: string | undefined;
  let isVerbose = false;
  for (let at = 0; at < args.length; at += 1) {
    const argument = args[at] ?? '';
    if (argument === '--help') return { kind: 'help' };
    if (argument === '--verbose') {
      isVerbose = true;
      continue;
    }
    if (!argument.startsWith('--')) {
      folders.push(argument);
      continue;
    }
    const [, name = '', inline] = /^--([^=]*)(?:=([^]*))?$/.exec(argument) ?? [];
    const input = flags.get(name);
    if (!input && name !== 'scenario') throw new UsageError(describeUnknown(name, action));
    const next = args[at + 1];
    const isSwitch = input !== undefined && isBoolean(input);
    const wrong = isSwitch ? (inline ?? (OTHER_BOOLEANS.test(next ?? '') ? next : undefined)) : undefined;
    if (wrong !== undefined && !/^(true|false)$/.test(wrong)) {
      throw new UsageError(`--${name} takes true or false; got ${wrong}.`);
    }
    const takesNext = inline === undefined && next !== undefined && (isSwitch ? /^(true|false)$/.test(next) : true);
    const value = inline ?? (takesNext ? next : isSwitch ? 'true' : undefined);
    if (value === undefined) throw new UsageError(`--${name} needs a value.`);
    if (takesNext) at += 1;
    if (name === 'scenario') scenario = value;
    // A flag that is given twice is an input of two lines.
    else inputs[name] = name in inputs ? `${inputs[name]}\n${value}` : value;
  }
  return { kind: 'run', folder: onlyFolder(folders), isVerbose, scenario, inputs: checkService(inputs, scenario) };
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

/**
 * npm takes flags without a `--` before them for its own, and leaves them in the environment of the script.
 *
 * @returns the first flag that npm took; undefined if there is none
 */
export function flagTakenByNpm(
  env: Readonly<Record<string, string | undefined>>,
  args: readonly string[],
  action: Action,
): string | undefined {
  return flagNames(action).find(
    (name) =>
      env[`npm_config_${name.replaceAll('-', '_')}`] !== undefined &&
      !args.some((each) => each.startsWith(`--${name}`)),
  );
}

function describeUnknown(name: string, action: Action): string {
  if (NOT_FLAGS.includes(name)) return `There is no flag --${name}: GitHub fills in this input.`;
  const meant = nearest(name, flagNames(action));
  return meant === undefined
    ? `There is no flag --${name}. ${listFlags(action)}`
    : `There is no flag --${name}: did you mean --${meant}?`;
}

function flagNames(action: Action): readonly string[] {
  const inputs = action.inputs.map(({ name }) => name).filter((name) => !NOT_FLAGS.includes(name));
  return ['help', 'verbose', 'scenario', ...inputs];
}

function listFlags(action: Action): string {
  const names = flagNames(action).map((name) => `--${name}`);
  return `Allowed: ${names.join(', ')}.`;
}

/** The inputs as flags, in the groups of action.yml: rows of a flag and what it is for. */
export function flagGroups({ inputs }: Action): ReadonlyMap<string, readonly (readonly [string, string])[]> {
  const flags = inputs.filter(({ name }) => !NOT_FLAGS.includes(name));
  const rows = flags.map((input) => [input.group, [`--${input.name}`, firstSentence(input.description)]] as const);
  return new Map(
    [...Map.groupBy(rows, ([group]) => group)].map(([group, members]) => [group, members.map(([, row]) => row)]),
  );
}

function firstSentence(text: string): string {
  return (/^.*?\.(?= |$)/.exec(text)?.[0] ?? text).replaceAll('`', '');
}

function isBoolean({ defaultValue }: ActionInput): boolean {
  return defaultValue === 'true' || defaultValue === 'false';
}
