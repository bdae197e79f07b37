/** A command to the runner in one line of the log: `::error file=a.png,line=1::text`. */
export interface WorkflowCommand {
  readonly name: string;
  readonly properties: ReadonlyMap<string, string>;
  readonly message: string;
}

/** Returns undefined for a line that is only text. */
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

export interface PrintedAnnotation {
  readonly level: string;
  readonly file: string | undefined;
  readonly title: string | undefined;
  readonly message: string;
}

/** The annotations in a log, and the values that the runner was asked to hide. */
export function parseCommands(log: string): { annotations: readonly PrintedAnnotation[]; masks: readonly string[] } {
  const annotations: PrintedAnnotation[] = [];
  const masks: string[] = [];
  // The runner ends a line at all of these characters.
  for (const line of log.split(/[\n\r\u2028\u2029]/)) {
    const { name = '', properties, message = '' } = parseCommand(line) ?? {};
    if (name === 'add-mask') masks.push(message);
    if (!['error', 'warning', 'notice'].includes(name)) continue;
    const [file, title] = ['file', 'title'].map((property) => properties?.get(property));
    annotations.push({ level: name, file, title, message });
  }
  return { annotations, masks };
}

/** Parses outputs and values saved for the post step: `name<<delimiter`, lines, delimiter. The last value counts. */
export function parseFileCommands(text: string): Record<string, string> {
  const entries = text.matchAll(/^([^=\n]+?)(?:=(.*)|<<(.+)\n([\s\S]*?)\n?\3)$/gm);
  return Object.fromEntries(entries.map(([, name = '', line, , lines = '']) => [name, line ?? lines]));
}
