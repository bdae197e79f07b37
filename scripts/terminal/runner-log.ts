import { styleText } from 'node:util';
import { parseCommand } from '../../test/harness/workflow-command.ts';

type Style = Parameters<typeof styleText>[0];

const LEVELS: Readonly<Record<string, { readonly label: string; readonly style: Style }>> = {
  error: { label: 'Error', style: 'red' },
  warning: { label: 'Warning', style: 'yellow' },
  notice: { label: 'Notice', style: 'blue' },
};

/**
 * Prints the log of a step as GitHub does: groups, coloured levels, masked secrets, no debug lines. Of an annotation
 * GitHub's log has the message alone; file and title are shown elsewhere.
 */
export function runnerLog(print: (line: string) => void): (line: string) => void {
  const masks: string[] = [];
  let indent = '';
  const show = (text: string, style: Style = 'reset'): void => {
    const masked = masks.reduce((shown, mask) => shown.replaceAll(mask, '***'), text);
    for (const line of masked.split('\n')) print(indent + styleText(style, line));
  };
  return (line) => {
    const command = parseCommand(line);
    if (!command) {
      if (line !== '') show(line);
      return;
    }
    const { name, message } = command;
    const level = LEVELS[name];
    if (name === 'add-mask') masks.push(message);
    else if (name === 'group') {
      show(`▾ ${message}`, 'bold');
      indent = '    ';
    } else if (name === 'endgroup') indent = '';
    else if (level) show(`${level.label}: ${message}`, level.style);
  };
}
