/** Writes the tables of README.md from action.yml: `npm run readme`. */
import { readFile, writeFile } from 'node:fs/promises';
import { type Action, type ActionInput, readAction } from './action-yml.ts';

const README = new URL('../README.md', import.meta.url);
const ACTION = new URL('../action.yml', import.meta.url);

/** The README with its tables as they should be. Each stands between two comments that name it. */
export function withTables(readme: string, action: Action): string {
  return replaceBetween(replaceBetween(readme, 'inputs', inputTables(action)), 'outputs', outputTable(action));
}

function replaceBetween(text: string, name: string, content: string): string {
  const [start, end] = [`<!-- ${name}: npm run readme -->`, `<!-- /${name} -->`];
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`README.md has no part between "${start}" and "${end}".`);
  return `${text.slice(0, from)}${start}\n\n${content}\n\n${text.slice(to)}`;
}

function inputTables({ inputs }: Action): string {
  return [...Map.groupBy(inputs, ({ group }) => group)]
    .map(([group, members]) =>
      [
        `### ${group}`,
        '',
        '| input | default | meaning |',
        '| --- | --- | --- |',
        ...members.map((input) => `| \`${input.name}\` | ${defaultOf(input)} | ${cell(input.description)} |`),
      ].join('\n'),
    )
    .join('\n\n');
}

function outputTable({ outputs }: Action): string {
  return [
    '| output | meaning |',
    '| --- | --- |',
    ...outputs.map(({ name, description }) => `| \`${name}\` | ${cell(description)} |`),
  ].join('\n');
}

function defaultOf({ defaultValue }: ActionInput): string {
  const lines = defaultValue.trim().split('\n');
  if (lines.length === 1) return defaultValue === '' ? '' : `\`${cell(defaultValue)}\``;
  const patterns = lines.map((line) => cell(line.replace(/^\*\*\/\*/, ''))).join(' ');
  return `<details><summary>${lines.length} extensions</summary>${patterns}</details>`;
}

function cell(text: string): string {
  return text.trim().replaceAll('|', '\\|').replaceAll('\n', ' ');
}

if (import.meta.main) {
  const [readme, action] = await Promise.all([readFile(README, 'utf8'), readFile(ACTION, 'utf8')]);
  await writeFile(README, withTables(readme, readAction(action)));
}
