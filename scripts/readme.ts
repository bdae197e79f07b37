/** Writes the tables of README.md from action.yml: `npm run readme`. */

import { readFile, writeFile } from 'node:fs/promises';
import { type Action, type ActionInput, readAction } from './action-yml.ts';
import { isMain } from './is-main.ts';

const README = new URL('../README.md', import.meta.url);
const ACTION = new URL('../action.yml', import.meta.url);

/** The README with current tables. Each one is between two comments that name it. */
export function withTables(readme: string, action: Action): string {
  return replaceBetween(replaceBetween(readme, 'inputs', inputTable(action)), 'outputs', outputList(action));
}

function replaceBetween(text: string, name: string, content: string): string {
  const [start, end] = [`<!-- ${name}: npm run readme -->`, `<!-- /${name} -->`];
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`README.md has no part between "${start}" and "${end}".`);
  return `${text.slice(0, from)}${start}\n\n${content}\n\n${text.slice(to)}`;
}

/** Of each group only the first inputs are open: those that a new user meets first. */
const MAX_OPEN: Readonly<Record<string, number>> = { Needed: 3, Common: 6 };

/** Internal inputs are not for users. */
function inputTable({ inputs }: Action): string {
  const groups = [...Map.groupBy(inputs, ({ group }) => group)].filter(([group]) => group !== 'Internal');
  const open = groups.map(([group, members]) => [group, members.slice(0, MAX_OPEN[group] ?? 0)] as const);
  const folded = groups.map(([group, members]) => [group, members.slice(MAX_OPEN[group] ?? 0)] as const);
  return [table(open.flatMap(groupRows)), fold('All other inputs', table(folded.flatMap(groupRows)))].join('\n\n');
}

function groupRows([group, inputs]: readonly [string, readonly ActionInput[]]): readonly string[] {
  const rows = inputs.map((input) => `| \`${input.name}\` | ${defaultOf(input)} | ${cell(input.description)} |`);
  return rows.length === 0 ? [] : [`| **${group}** | | |`, ...rows];
}

function table(rows: readonly string[]): string {
  return ['| input | default | meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

/** GitHub renders Markdown inside `details` only between empty lines. */
function fold(title: string, content: string): string {
  return `<details><summary>${title}</summary>\n\n${content}\n\n</details>`;
}

/** Outputs with the same description share a line. */
function outputList({ outputs }: Action): string {
  const groups = [...Map.groupBy(outputs, ({ description }) => description)];
  const lines = groups.map(
    ([text, members]) => `- ${members.map(({ name }) => `\`${name}\``).join(', ')}: ${text.trim()}`,
  );
  return fold('All outputs', lines.join('\n'));
}

function defaultOf({ defaultValue }: ActionInput): string {
  const lines = defaultValue.trim().split('\n');
  if (lines.length === 1) return defaultValue === '' ? '' : `\`${cell(defaultValue)}\``;
  return `[${lines.length} extensions](action.yml)`;
}

function cell(text: string): string {
  return text.trim().replaceAll('|', '\\|').replaceAll('\n', ' ');
}

if (isMain(import.meta.url)) {
  const [readme, action] = await Promise.all([readFile(README, 'utf8'), readFile(ACTION, 'utf8')]);
  await writeFile(README, withTables(readme, readAction(action)));
}
