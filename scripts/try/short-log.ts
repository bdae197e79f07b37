import { parseCommand } from '../../test/harness/workflow-command.ts';

/** A log in short: what happens is printed at once, and what stops the check is kept for the end. */
export interface ShortLog {
  readonly show: (line: string) => void;
  /** The messages of the errors, without the last line of a failed step. */
  readonly errors: () => readonly string[];
  /** How many warnings and notes were left out. */
  readonly leftOut: () => number;
}

/**
 * Prints one counter instead of a line for each upload.
 *
 * @param count replaces the counter on the screen
 */
export function shortLog(print: (line: string) => void, count: (text: string) => void): ShortLog {
  const errors: string[] = [];
  let leftOut = 0;
  let uploaded = '';
  const endCounter = (): void => {
    if (uploaded !== '') print(uploaded);
    uploaded = '';
  };
  return {
    show: (line) => {
      const { name, message } = parseCommand(line) ?? { name: 'text', message: line };
      const [, done, all] = /^\[(\d+)\/(\d+)\] /.exec(message) ?? [];
      if (name === 'error') errors.push(message);
      else if (name === 'warning' || name === 'notice' || message.startsWith('Note: ')) leftOut += 1;
      else if (name === 'text' && all !== undefined) {
        uploaded = `Uploaded ${done} of ${all} files`;
        count(uploaded);
      } else if (name === 'endgroup') endCounter();
      else if (name === 'text' && message !== '') {
        endCounter();
        print(message);
      }
    },
    // The step's own line comes last and repeats the headline.
    errors: () => errors.slice(0, -1),
    leftOut: () => leftOut,
  };
}
