import { isMap, isScalar, parseDocument } from 'yaml';

export interface ActionInput {
  readonly name: string;
  /** The comment above it, or above the first input of its group. */
  readonly group: string;
  readonly description: string;
  readonly defaultValue: string;
}

/** The inputs and outputs of action.yml, in its order. */
export interface Action {
  readonly inputs: readonly ActionInput[];
  readonly outputs: readonly Pick<ActionInput, 'name' | 'description'>[];
}

export function readAction(text: string): Action {
  const document = parseDocument(text);
  return { inputs: entries(document.get('inputs')), outputs: entries(document.get('outputs')) };
}

function entries(node: unknown): readonly ActionInput[] {
  if (!isMap(node)) throw new Error('action.yml has no such map.');
  let group = '';
  return node.items.map(({ key, value }, index) => {
    if (!isScalar(key) || !isMap(value)) throw new Error(`action.yml: ${String(key)} is not a map.`);
    // The parser assigns a comment above the first key to the map itself.
    const comment = (index === 0 ? node.commentBefore : undefined) ?? key.commentBefore;
    group = comment?.trim() ?? group;
    return {
      name: String(key.value),
      group,
      description: textIn(value.get('description')),
      defaultValue: textIn(value.get('default')),
    };
  });
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
