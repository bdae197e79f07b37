/** What a step tells the runner in one line: `::error file=a.png,line=1::text`. */
export interface WorkflowCommand {
  readonly name: string;
  readonly properties: ReadonlyMap<string, string>;
  readonly message: string;
}

/** Undefined where the line is only text. */
export function parseCommand(line: string): WorkflowCommand | undefined {
  const match = /^::([a-z-]+)(?: (.*?))?::(.*)$/.exec(line);
  if (!match) return undefined;
  const [, name = '', properties = '', message = ''] = match;
  const pairs = properties
    .split(',')
    .map((pair) => [pair.slice(0, pair.indexOf('=')), unescape(pair.slice(pair.indexOf('=') + 1))] as const);
  return { name, properties: new Map(pairs), message: unescape(message) };
}

function unescape(text: string): string {
  return text
    .replaceAll('%0A', '\n')
    .replaceAll('%0D', '\r')
    .replaceAll('%3A', ':')
    .replaceAll('%2C', ',')
    .replaceAll('%25', '%');
}
