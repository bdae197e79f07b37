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

/** Internal inputs are not for users. */
function inputTable({ inputs }: Action): string {
  const groups = [...Map.groupBy(inputs, ({ group }) => group)].filter(([group]) => group !== 'Internal');
  return ['| input | default | meaning |', '| --- | --- | --- |', ...groups.flatMap(groupRows)].join('\n');
}

function groupRows([group, inputs]: readonly [string, readonly ActionInput[]]): readonly string[] {
  const rows = inputs.map((input) => `| \`${input.name}\` | ${defaultOf(input)} | ${cell(input.description)} |`);
  return [`| **${group}** | | |`, ...rows];
}

/** Outputs with the same description share a line. */
function outputList({ outputs }: Action): string {
  const groups = [...Map.groupBy(outputs, ({ description }) => description)];
  return groups
    .map(([text, members]) => `- ${members.map(({ name }) => `\`${name}\``).join(', ')}: ${text.trim()}`)
    .join('\n');
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
