import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const { repository }: { repository: string } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'));
/** The action's own name, `owner/repo`. */
export const ACTION_NAME = repository.replace('github:', '');
const FOLDERS = ['examples/workflows', '.github/workflows'];

export interface Workflow {
  readonly name?: string;
  readonly on: Readonly<Record<string, { readonly types?: readonly string[]; readonly inputs?: object } | null>>;
  readonly permissions?: unknown;
  readonly concurrency?: { readonly group?: string };
  readonly jobs: Readonly<Record<string, Job>>;
}

/** A job has steps, or it calls a reusable workflow by `uses` and `with`. */
interface Job extends Pick<Step, 'uses' | 'with'> {
  readonly if?: string;
  readonly permissions?: unknown;
  readonly steps?: readonly Step[];
}

export interface Step {
  readonly id?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string | number | boolean>>;
  readonly run?: string;
  readonly shell?: string;
}

export interface WorkflowFile {
  /** The path from the root of the repository. */
  readonly path: string;
  readonly text: string;
  readonly workflow: Workflow;
}

export async function readText(path: string): Promise<string> {
  return await readFile(ROOT + path, 'utf8');
}

export async function readWorkflow(path: string): Promise<WorkflowFile> {
  return workflowFile(path, await readText(path));
}

export function workflowFile(path: string, text: string): WorkflowFile {
  return { path, text, workflow: parse(text) };
}

/** Every workflow of the repository and of the examples, each also with its optional blocks turned on. */
export async function allWorkflows(): Promise<readonly WorkflowFile[]> {
  const folders = await Promise.all(
    FOLDERS.map(async (folder) => (await readdir(ROOT + folder)).map((name) => `${folder}/${name}`)),
  );
  const files = await Promise.all(folders.flat().map(readWorkflow));
  return files.flatMap((file) => [file, ...withOptionalBlocks(file)]);
}

/** Turns on each optional block alone, and all of them. Lines of a block begin with its mark, such as `#nightly `. */
function withOptionalBlocks({ path, text }: WorkflowFile): readonly WorkflowFile[] {
  const marks = [...new Set([...text.matchAll(/^ *#([a-z-]+) /gm)].map(([, mark = '']) => mark))];
  const variants = marks.length > 1 ? [...marks.map((mark) => [mark]), marks] : marks.map((mark) => [mark]);
  return variants.map((on) => {
    const pattern = new RegExp(`^( *)#(?:${on.join('|')}) `, 'gm');
    return workflowFile(path.replace('.yml', `+${on.join('+')}.yml`), text.replaceAll(pattern, '$1'));
  });
}

export function stepsOf({ workflow }: WorkflowFile): readonly Step[] {
  return Object.values(workflow.jobs).flatMap(({ steps = [] }) => steps);
}

/** Examples use this action by its name, our own workflows by its path. */
export function isGate({ uses }: Step): boolean {
  return uses === './' || uses?.startsWith(`${ACTION_NAME}@`) === true;
}
