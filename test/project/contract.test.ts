import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { readAction } from '../../scripts/action-yml.ts';
import { withTables } from '../../scripts/readme.ts';
import { readInputs } from '../../src/inputs/parse.ts';
import { DEFAULT_PATTERNS } from '../../src/media/media-types.ts';
import { OUTPUTS } from '../../src/publish/publish.ts';
import { readText, readWorkflow, workflowFile } from '../workflows/files.ts';

const actionText = await readText('action.yml');
const action = readAction(actionText);
const readme = await readText('README.md');

it('action.yml has the inputs, defaults and outputs of the code', () => {
  // GitHub evaluates a default that is an expression, so the code has no default for it.
  const defaults = new Map(action.inputs.map((input) => [input.name, input.defaultValue.replace(/^\$\{\{.*/, '')]));
  const names = new Set<string>();
  const { inputs } = readInputs((name) => {
    names.add(name);
    return defaults.get(name) ?? '';
  }, '/');
  expect([...names].toSorted()).toEqual([...defaults.keys()].toSorted());
  expect({ ...inputs, files: {} }).toEqual({ ...readInputs(() => '', '/').inputs, files: {} });
  expect(defaults.get('files')).toBe(`${DEFAULT_PATTERNS.join('\n')}\n`);
  expect(action.outputs.map(({ name }) => name)).toEqual(Object.keys(OUTPUTS));
});

it('action.yml puts every input into a group and describes everything', () => {
  expect(action.inputs.filter(({ group, description }) => group === '' || description === '')).toEqual([]);
  expect(action.outputs.filter(({ description }) => description === '')).toEqual([]);
});

it('action.yml starts the bundle before and after the job, and its description fits into the Marketplace', () => {
  const { runs, description } = parse(actionText);
  expect(runs).toEqual({ using: 'node24', main: 'dist/index.js', post: 'dist/post.js' });
  expect(description.length).toBeLessThanOrEqual(125);
});

it('README.md has the tables of action.yml', () => {
  expect(readme, 'run "npm run readme"').toBe(withTables(readme, action));
});

it('README.md begins with a workflow that pull-request.yml can replace without billing a file again', async () => {
  const start = readme.split('\n').slice(0, 70).join('\n');
  expect(start.split('```yaml')[0]).toContain('**Status:**');
  const { workflow: quick } = workflowFile('README.md', /^```yaml\n([\s\S]*?)^```$/m.exec(start)?.[1] ?? '');
  const { workflow: whole } = await readWorkflow('examples/workflows/pull-request.yml');
  // The state is bound to the workflow file, the job and the key.
  expect(quick.name).toBe(whole.name);
  expect(Object.keys(quick.jobs)).toEqual(Object.keys(whole.jobs));
  expect(Object.keys(quick.on)).toEqual(Object.keys(whole.on));
  const inputs = quick.jobs['media']?.steps?.at(-1)?.with ?? {};
  const names = ['api-key', 'base-url', 'files', 'state-key', 'comment', 'issue-url', 'contact', 'on-service-error'];
  expect(Object.keys(inputs)).toEqual(names);
  expect(whole.jobs['media']?.steps?.at(-1)?.with).toMatchObject(inputs);
});
