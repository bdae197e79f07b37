import { parse } from 'yaml';
import { ACTION_NAME, readText } from './files.ts';

export interface ActionMetadata {
  readonly name: string;
  readonly description: string;
  readonly inputs: Readonly<Record<string, { readonly description: string }>>;
}

/** The inputs that our workflows give to other actions, taken from action.yml at the pinned commits. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  'actions/attest': ['predicate-path', 'predicate-type', 'subject-checksums', 'subject-path'],
  'actions/cache/restore': ['key', 'path', 'restore-keys'],
  'actions/cache/save': ['key', 'path'],
  'actions/checkout': [
    'allow-unsafe-pr-checkout',
    'fetch-depth',
    'lfs',
    'path',
    'persist-credentials',
    'ref',
    'repository',
    'sparse-checkout',
    'sparse-checkout-cone-mode',
  ],
  'actions/download-artifact': ['github-token', 'merge-multiple', 'path', 'pattern', 'run-id'],
  'actions/github-script': ['script'],
  'actions/setup-node': ['node-version', 'package-manager-cache'],
  'actions/upload-artifact': ['if-no-files-found', 'name', 'overwrite', 'path', 'retention-days'],
  'github/codeql-action/upload-sarif': ['sarif_file'],
};

/** Every action that a workflow may use, by the name before the @. */
export async function knownActions(): Promise<ReadonlyMap<string, ActionMetadata>> {
  const gate: ActionMetadata = parse(await readText('action.yml'));
  const emulator: ActionMetadata = parse(await readText('emulator/action.yml'));
  const others = Object.entries(OTHERS).map(([name, inputs]) => [name, described(name, inputs)] as const);
  return new Map([
    [ACTION_NAME, gate],
    ['./', gate],
    ['./emulator', emulator],
    [`${ACTION_NAME}/emulator`, emulator],
    ...others,
  ]);
}

function described(name: string, inputs: readonly string[]): ActionMetadata {
  return {
    name,
    description: name,
    inputs: Object.fromEntries(inputs.map((input) => [input, { description: input }])),
  };
}
