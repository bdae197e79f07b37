import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDERS = ['examples/workflows', '.github/workflows'];

/** As much of a workflow as the tests look at. */
export interface Workflow {
  readonly name?: string;
  readonly on: unknown;
  readonly permissions?: unknown;
  readonly env?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

export interface Job {
  readonly if?: string;
  readonly needs?: string | readonly string[];
  readonly permissions?: unknown;
  readonly 'timeout-minutes'?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly steps?: readonly Step[];
  /** A reusable workflow, instead of steps. */
  readonly uses?: string;
}

export interface Step {
  readonly id?: string;
  readonly name?: string;
  readonly if?: string | boolean;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string | number | boolean>>;
  readonly run?: string;
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly 'continue-on-error'?: boolean;
}

export interface WorkflowFile {
  /** From the root of the repository. */
  readonly path: string;
  readonly text: string;
  readonly workflow: Workflow;
}

export async function readText(path: string): Promise<string> {
  return await readFile(new URL(path, new URL('../../', import.meta.url)), 'utf8');
}

export async function readWorkflow(path: string): Promise<WorkflowFile> {
  return workflowFile(path, await readText(path));
}

export function workflowFile(path: string, text: string): WorkflowFile {
  return { path, text, workflow: parse(text) };
}

/** Every workflow of the repository: those that it runs, and those that it shows. */
export async function allWorkflows(): Promise<readonly WorkflowFile[]> {
  const folders = await Promise.all(
    FOLDERS.map(async (folder) => (await readdir(ROOT + folder)).map((name) => `${folder}/${name}`)),
  );
  return await Promise.all(folders.flat().map(readWorkflow));
}

export function stepsOf({ workflow }: WorkflowFile): readonly Step[] {
  return Object.values(workflow.jobs).flatMap(({ steps = [] }) => steps);
}

/** Whether a step is this action, by its name in the examples or by its path in our own workflows. */
export function isGate({ uses }: Step): boolean {
  return uses === './/' || uses?.startsWith('your-org/media-compliance-gate@') === true;
}
