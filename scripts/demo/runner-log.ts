import { styleText } from 'node:util';
import { parseCommand } from '../../test/harness/workflow-command.ts';

type Style = Parameters<typeof styleText>[0];

const LEVELS: Readonly<Record<string, { readonly word: string; readonly style: Style }>> = {
  error: { word: 'Error', style: 'red' },
  warning: { word: 'Warning', style: 'yellow' },
  notice: { word: 'Notice', style: 'blue' },
};

/** Shows the log of a step as the runner's page does: groups, coloured levels, secrets hidden, debug lines left out. */
export function runnerLog(print: (line: string) => void): (line: string) => void {
  const masks: string[] = [];
  let indent = '';
  const show = (text: string, style: Style = 'reset'): void => {
    const harmless = masks.reduce((shown, mask) => shown.replaceAll(mask, '***'), text);
    for (const line of harmless.split('\n')) print(indent + styleText(style, line));
  };
  return (line) => {
    const command = parseCommand(line);
    if (!command) return line === '' ? undefined : show(line);
    const { name, properties, message } = command;
    const level = LEVELS[name];
    if (name === 'add-mask') masks.push(message);
    else if (name === 'group') {
      show(`▾ ${message}`, 'bold');
      indent = '    ';
    } else if (name === 'endgroup') indent = '';
    else if (level) show(`${level.word}: ${`${where(properties)}${message}`.replaceAll('\n', '\n    ')}`, level.style);
    return undefined;
  };
}

/** The page shows this beside the file; a terminal has only the line. */
function where(values: ReadonlyMap<string, string>): string {
  const file = values.get('file');
  const place = file === undefined ? '' : `${file}${values.has('line') ? `:${values.get('line')}` : ''}`;
  const parts = [place, values.get('title')].filter(Boolean);
  return parts.length > 0 ? `${parts.join('  ')}\n` : '';
}
