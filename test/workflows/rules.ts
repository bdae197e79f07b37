import { parse } from 'yaml';
import { ACTION_NAME, isGate, readText, readWorkflow, type Step, stepsOf, type WorkflowFile } from './files.ts';

/** Runs of one group wait for each other: by pull request or branch, by a fork's branch, and for deployments. */
const GROUPS = [
  'media-${{ github.event.pull_request.number || github.ref }}',
  [
    'media-${{ github.event.workflow_run.head_repository.id }}',
    '${{ github.event.workflow_run.head_branch || github.ref }}',
  ].join('-'),
  'publish',
];
/** These start a workflow with secrets and a write token for every pull request. */
const PRIVILEGED = ['workflow_run', 'pull_request_target', 'issue_comment'];
const PULL_REQUEST_TYPES = ['opened', 'synchronize', 'reopened', 'edited'];

const { inputs, outputs }: Readonly<Record<'inputs' | 'outputs', object>> = parse(await readText('action.yml'));
const emulator: { readonly inputs: object } = parse(await readText('emulator/action.yml'));
const { workflow: reusable } = await readWorkflow('examples/workflows/organisation-gate.yml');

/** The inputs of every action that a workflow may use. Those of other people are from action.yml at the pinned commits. */
const INPUTS: Readonly<Record<string, readonly string[]>> = {
  './': Object.keys(inputs),
  [ACTION_NAME]: Object.keys(inputs),
  './emulator': Object.keys(emulator.inputs),
  [`${ACTION_NAME}/emulator`]: Object.keys(emulator.inputs),
  'your-org/.github/.github/workflows/media.yml': Object.keys(reusable.on['workflow_call']?.inputs ?? {}),
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

/** What examples must do, because people copy them. Each rule returns what breaks it. */
export const EXAMPLE_RULES: Readonly<Record<string, (file: WorkflowFile) => readonly string[]>> = {
  'names its files, because each one is billed': (file) =>
    stepsOf(file)
      .filter(
        (step) => isGate(step) && !step.with?.['files'] && !/steps\.emulator/.test(String(step.with?.['base-url'])),
      )
      .map(() => 'a gate without files'),

  'runs when a pull request gets another base branch': (file) => {
    // A ruleset ignores the types.
    if (!isStartedBy(file, 'pull_request') || file.path.endsWith('-required.yml')) return [];
    const types = file.workflow.on['pull_request']?.types ?? [];
    return PULL_REQUEST_TYPES.filter((type) => !types.includes(type));
  },

  'signs its state with `state-key`, so that a new API key does not re-bill every file': (file) =>
    stepsOf(file)
      .filter(keepsState)
      .filter((step) => !/secrets\.(COMPLIANCE_STATE_KEY|state-key)/.test(String(step.with?.['state-key'])))
      .map(() => 'a gate without state-key'),

  'does not run twice at once for one branch': (file) =>
    stepsOf(file).some(keepsState) &&
    // A reusable workflow leaves the group to its caller.
    !isStartedBy(file, 'workflow_call') &&
    !GROUPS.includes(file.workflow.concurrency?.group ?? '')
      ? [`the concurrency group is ${file.workflow.concurrency?.group}`]
      : [],

  'recognises forks by their name: `head.repo.fork` only says that a repository is a fork of something': ({ text }) =>
    text.match(/.*\.fork\b.*/g) ?? [],
};

function keepsState(step: Step): boolean {
  return isGate(step) && step.with?.['reuse-days'] !== 0;
}

/** Rules for workflows that actionlint and zizmor do not have. Each rule returns what breaks it. */
export const RULES: Readonly<Record<string, (file: WorkflowFile) => readonly string[]>> = {
  'grants nothing at the top, and says in each job what it grants': ({ workflow }) => [
    ...(isEmptyMap(workflow.permissions) ? [] : ['the top is not `permissions: {}`']),
    ...Object.entries(workflow.jobs)
      .filter(([, { permissions }]) => typeof permissions !== 'object')
      .map(([id]) => `job ${id} has no permissions`),
  ],

  'lets each gate read the state of earlier runs, without which it is an error': ({ workflow }) =>
    Object.entries(workflow.jobs)
      .filter(([, { steps = [] }]) =>
        steps.some((step) => keepsState(step) && !step.with?.['dry-run'] && !step.with?.['state-file']),
      )
      .filter(([, { permissions }]) => !/^(read|write)$/.test(String(Object(permissions)['actions'])))
      .map(([id]) => `job ${id} has a gate and not \`actions: read\``),

  'gives every job a time limit': ({ workflow }) =>
    Object.entries(workflow.jobs)
      .filter(([, job]) => job.uses === undefined && job['timeout-minutes'] === undefined)
      .map(([id]) => `job ${id} has no timeout-minutes`),

  'gives each action only inputs that it has': (file) =>
    [...stepsOf(file), ...Object.values(file.workflow.jobs)].flatMap(({ uses = '', with: given = {} }) =>
      Object.keys(given).flatMap((name) =>
        INPUTS[uses.replace(/@.*/, '')]?.includes(name) ? [] : [`${uses} has no input ${name}`],
      ),
    ),

  'reads only outputs that the action has': (file) => {
    const gates = stepsOf(file).filter(isGate);
    return [...file.text.matchAll(/steps\.([\w-]+)\.outputs\.([\w-]+)/g)]
      .filter(([, id]) => gates.some((gate) => gate.id === id))
      .flatMap(([, , read = '']) => (read in outputs ? [] : [read]));
  },

  'runs no code of a pull request in a job with secrets': (file) =>
    PRIVILEGED.some((event) => isStartedBy(file, event))
      ? stepsOf(file)
          .flatMap(({ uses = '', run = '' }) => [run, uses.startsWith('./') ? uses : ''])
          .filter((code) => /\b(npm|npx|node|make|python|bash|sh) |\.\//.test(code))
      : [],
};

/** Whether it is given as a name, in a list, or with filters. */
function isStartedBy({ workflow }: WorkflowFile, event: string): boolean {
  return JSON.stringify(workflow.on).includes(`"${event}"`);
}

function isEmptyMap(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
