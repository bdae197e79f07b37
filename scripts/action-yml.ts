import { isMap, isScalar, parseDocument } from 'yaml';

export interface ActionInput {
  readonly name: string;
  /** The comment above it, or above the first input of its group. */
  readonly group: string;
  readonly description: string;
  readonly defaultValue: string;
}

export interface ActionOutput {
  readonly name: string;
  readonly description: string;
}

/** The inputs and outputs of action.yml, in its order. */
export interface Action {
  readonly inputs: readonly ActionInput[];
  readonly outputs: readonly ActionOutput[];
}

export function readAction(text: string): Action {
  const document = parseDocument(text);
  let group = '';
  const inputs = entries(document.get('inputs')).map(({ comment, ...entry }) => {
    group = comment ?? group;
    return { group, ...entry };
  });
  const outputs = entries(document.get('outputs')).map(({ name, description }) => ({ name, description }));
  return { inputs, outputs };
}

interface Entry {
  readonly name: string;
  readonly comment: string | undefined;
  readonly description: string;
  readonly defaultValue: string;
}

function entries(node: unknown): readonly Entry[] {
  if (!isMap(node)) throw new Error('action.yml has no such map.');
  return node.items.map(({ key, value }, index) => {
    if (!isScalar(key) || !isMap(value)) throw new Error(`action.yml: ${String(key)} is not a map.`);
    // The parser assigns a comment above the first key to the map itself.
    const comment = (index === 0 ? node.commentBefore : undefined) ?? key.commentBefore;
    return {
      name: String(key.value),
      comment: comment?.trim(),
      description: textIn(value.get('description')),
      defaultValue: textIn(value.get('default')),
    };
  });
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
