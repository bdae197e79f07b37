import type { Runner } from '../../src/github/runner.ts';

/** A runner with these inputs, and what the action told it. */
export function recordRunner(inputs: Readonly<Record<string, string>> = {}) {
  const [lines, failures, shown]: [string[], string[], string[]] = [[], [], []];
  const outputs = new Map<string, string>();
  const record = (text: string): void => void lines.push(text);
  const runner: Runner = {
    log: { info: record, warning: record, group: async (_, work) => await work() },
    spent: { error: 0, warning: 0, notice: 0 },
    input: (name) => inputs[name] ?? '',
    mask: () => {},
    clean: (value) => value,
    hasArtifacts: false,
    saveForPost: () => {},
    savedForPost: () => '',
    annotate: ({ message }) => void shown.push(message),
    output: (name, value) => void outputs.set(name, value),
    writeSummary: async (markdown) => void shown.push(markdown),
    fail: (message) => void failures.push(message),
  };
  return { runner, lines, outputs, failures, shown };
}
