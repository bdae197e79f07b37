import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  ACTION_NAME,
  allWorkflows,
  isGate,
  readText,
  readWorkflow,
  type Step,
  stepsOf,
  type WorkflowFile,
  workflowFile,
} from './files.ts';

const files = await allWorkflows();
const examples = files.filter(({ path }) => path.startsWith('examples/'));
const pullRequest = await readText('examples/workflows/pull-request.yml');

const { inputs, outputs }: Readonly<Record<'inputs' | 'outputs', object>> = parse(await readText('action.yml'));
const emulator: { readonly inputs: object } = parse(await readText('emulator/action.yml'));
const { workflow: reusable } = await readWorkflow('examples/workflows/organisation-gate.yml');

/** The inputs of our own actions and workflows. */
const INPUTS: Readonly<Record<string, readonly string[]>> = {
  './': Object.keys(inputs),
  [ACTION_NAME]: Object.keys(inputs),
  './emulator': Object.keys(emulator.inputs),
  [`${ACTION_NAME}/emulator`]: Object.keys(emulator.inputs),
  'acme/.github/.github/workflows/media.yml': Object.keys(reusable.on['workflow_call']?.inputs ?? {}),
};

/** Concurrency groups: one for each pull request or branch, one for each branch of a fork, one for deployments. */
const GROUPS = [
  /^media-\$\{\{ github\.event\.pull_request\.number \|\| github\.ref \}\}$/,
  /^media-\$\{\{ github\.event\.workflow_run\.head_repository\.id \}\}-\$\{\{ \S+\.head_branch \|\| github\.ref \}\}$/,
  /^publish$/,
];

interface Rule {
  readonly title: string;
  readonly problems: (file: WorkflowFile) => readonly string[];
  /** Edits of pull-request.yml that break the rule. */
  readonly mistakes: readonly ((text: string) => string)[];
}

/** Rules for workflows that actionlint and zizmor do not have. */
const RULES: readonly Rule[] = [
  {
    title: 'grants nothing at the top, and says in each job what it grants',
    problems: ({ workflow }) => [
      ...(JSON.stringify(workflow.permissions) === '{}' ? [] : ['the top is not `permissions: {}`']),
      ...jobsOf(workflow, ({ permissions }) => typeof permissions !== 'object'),
    ],
    mistakes: [
      (text) => text.replace('permissions: {}\n', 'permissions: read-all\n'),
      (text) => text.replace('    permissions:\n', '    env:\n'),
    ],
  },
  {
    title: 'lets each gate read the state of earlier runs, without which it is an error',
    problems: ({ workflow }) =>
      jobsOf(workflow, ({ steps = [], permissions }) => {
        const gates = steps.filter((step) => keepsState(step) && !step.with?.['dry-run'] && !step.with?.['state-file']);
        return gates.length > 0 && !/^(read|write)$/.test(String(Object(permissions)['actions']));
      }),
    mistakes: [(text) => text.replace('      actions: read', '      checks: read')],
  },
  {
    title: 'gives our actions only inputs that they have',
    problems: (file) =>
      [...stepsOf(file), ...Object.values(file.workflow.jobs)].flatMap(({ uses = '', with: given = {} }) =>
        Object.keys(given)
          .filter((name) => INPUTS[uses.replace(/@.*/, '')]?.includes(name) === false)
          .map((name) => `${uses} has no input ${name}`),
      ),
    mistakes: [(text) => text.replace('files: media', 'fils: media')],
  },
  {
    title: 'reads only outputs that the action has',
    problems: (file) => {
      const gates = stepsOf(file).filter(isGate);
      return [...file.text.matchAll(/steps\.([\w-]+)\.outputs\.([\w-]+)/g)]
        .filter(([, id]) => gates.some((gate) => gate.id === id))
        .flatMap(([, , read = '']) => (read in outputs ? [] : [read]));
    },
    mistakes: [(text) => text.replace('outputs.sarif-file', 'outputs.sarif')],
  },
  {
    title: 'runs no code of a pull request in a job with secrets',
    problems: (file) => {
      // These events start a workflow with secrets and a write token for every pull request.
      if (!['workflow_run', 'pull_request_target', 'issue_comment'].some((event) => isStartedBy(file, event)))
        return [];
      const code = stepsOf(file).flatMap(({ uses = '', run = '' }) => [run, uses.startsWith('./') ? uses : '']);
      return code.filter((each) => /\b(npm|npx|node|make|python|bash|sh) |\.\//.test(each));
    },
    mistakes: [
      (text) => text.replace('  pull_request:', '  workflow_run:').replace(/uses: your-org.*/, 'uses: ./'),
      (text) => text.replace('  pull_request:', '  workflow_run:').replace(/uses: your-org.*/, 'run: npm test'),
    ],
  },
];

/** Rules for the examples only, because people copy them. */
const EXAMPLE_RULES: readonly Rule[] = [
  {
    title: 'names its files, because each one is billed',
    problems: (file) => {
      const gates = stepsOf(file).filter((step) => isGate(step) && !/emulator/.test(String(step.with?.['base-url'])));
      return gates.filter((step) => !step.with?.['files']).map(() => 'a gate without files');
    },
    mistakes: [(text) => text.replace('files: media/**\n', '\n')],
  },
  {
    title: 'runs when a pull request gets another base branch',
    problems: (file) => {
      if (!isStartedBy(file, 'pull_request')) return [];
      const types = file.workflow.on['pull_request']?.types ?? [];
      return ['opened', 'synchronize', 'reopened', 'edited'].filter((type) => !types.includes(type));
    },
    mistakes: [(text) => text.replace(', edited]', ']')],
  },
  {
    title: 'signs its state with `state-key`, so that a new API key does not re-bill every file',
    problems: (file) =>
      stepsOf(file)
        .filter(keepsState)
        .filter((step) => !/secrets\.(COMPLIANCE_STATE_KEY|state-key)/.test(String(step.with?.['state-key'])))
        .map(() => 'a gate without state-key'),
    mistakes: [(text) => text.replace('secrets.COMPLIANCE_STATE_KEY', 'secrets.COMPLIANCE_API_KEY')],
  },
  {
    title: 'does not run twice at once for one branch',
    problems: (file) => {
      // The caller of a reusable workflow sets the concurrency group.
      if (!stepsOf(file).some(keepsState) || isStartedBy(file, 'workflow_call')) return [];
      const group = file.workflow.concurrency?.group ?? '';
      return GROUPS.some((known) => known.test(group)) ? [] : [`the concurrency group is ${group}`];
    },
    mistakes: [(text) => text.replace('github.event.pull_request.number || ', '')],
  },
  {
    title: 'recognises forks by their name: `head.repo.fork` only says that a repository is a fork of something',
    problems: ({ text }) => text.match(/.*\.fork\b.*/g) ?? [],
    mistakes: [(text) => text.replace('head.repo.full_name != github.repository', 'head.repo.fork')],
  },
];

describe.each([
  { each: 'every workflow', checked: files, rules: RULES },
  { each: 'every example', checked: examples, rules: EXAMPLE_RULES },
])('$each', ({ checked, rules }) => {
  it.each(rules)('$title', ({ problems, mistakes }) => {
    expect(checked.flatMap((file) => problems(file).map((problem) => `${file.path}: ${problem}`))).toEqual([]);
    for (const mistake of mistakes)
      expect(problems(workflowFile('wrong.yml', mistake(pullRequest))), String(mistake)).not.toEqual([]);
  });
});

function keepsState(step: Step): boolean {
  return isGate(step) && step.with?.['reuse-days'] !== 0;
}

/** `on` is the name of an event, a list of names, or an object with filters. */
function isStartedBy({ workflow }: WorkflowFile, event: string): boolean {
  return JSON.stringify(workflow.on).includes(`"${event}"`);
}

function jobsOf({ jobs }: WorkflowFile['workflow'], test: (job: (typeof jobs)[string]) => boolean): readonly string[] {
  return Object.keys(jobs).filter((id) => jobs[id] && test(jobs[id]));
}
