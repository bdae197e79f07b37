import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ESTree, parseSync, Visitor } from 'rolldown/utils';
import { describe, expect, it } from 'vitest';
import { ConnectionError } from '../../src/http/http.ts';
import { ENDPOINTS } from '../../src/service/endpoints.ts';
import type { Failure } from '../../src/service/failure.ts';
import { explain, ServiceError } from '../../src/service/service-error.ts';

const SRC = fileURLToPath(new URL('../../src/', import.meta.url));
const PAGE = fileURLToPath(new URL('../../docs/troubleshooting.md', import.meta.url));
const WARNINGS = 'Notices and warnings';

/** A text of the code or of the page; `…` stands for what is filled in. */
interface Told {
  readonly text: string;
  /** The section of the page that it belongs to: a reason, or the warnings. Undefined where the code does not say. */
  readonly section?: string | undefined;
}

const page = await readFile(PAGE, 'utf8');
const rows = rowsOf(page);
const modules = await Promise.all(
  (await readdir(SRC, { recursive: true }))
    .filter((name) => name.endsWith('.ts'))
    .map(async (name) => ({ name, source: await readFile(path.join(SRC, name), 'utf8') })),
);
const code = [...modules.flatMap(textsIn), ...serviceErrors()];

describe('docs/troubleshooting.md', () => {
  it('has a section for every reason, and for nothing else that looks like one', () => {
    const sections = [...page.matchAll(/^## `([^`]+)`/gm)].map(([, reason = '']) => reason);
    expect(sections.toSorted()).toEqual(reasonsIn(modules).toSorted());
    // Summaries link to these.
    expect([...page.matchAll(/^<a name="([^"]+)"><\/a>\n\n## `\1`/gm)].map(([, name]) => name)).toEqual(sections);
    expect(page).toContain(`\n## ${WARNINGS}\n`);
  });

  it('tells only messages that the code has, each in its own section', () => {
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter((row) => !code.some((told) => tells(row, told)))).toEqual([]);
  });

  it('tells enough of each message to find it by', () => {
    expect(rows.filter(({ text }) => text.replaceAll(/[^a-z]/gi, '').length < 7)).toEqual([]);
  });

  it('tells every message that the code puts into one of its sections', () => {
    const wanted = code.filter(({ section }) => section !== undefined);
    expect(wanted.length).toBeGreaterThan(0);
    expect(wanted.filter((told) => !rows.some((row) => tells(row, told)))).toEqual([]);
  });
});

/** Whether a row tells this text of the code: its fixed parts stand there in their order, and the section is right. */
function tells(row: Told, { text, section = row.section }: Told): boolean {
  let from = 0;
  const isThere = (part: string): boolean => {
    const at = text.indexOf(part, from);
    from = at + part.length;
    return at !== -1;
  };
  return section === row.section && row.text.split('…').every(isThere);
}

/** The first cells of all tables, by the section they are in. A cell may hold several messages. */
function rowsOf(markdown: string): readonly Told[] {
  return markdown.split(/^## /m).flatMap((part) => {
    const section = /^`([^`]+)`/.exec(part)?.[1] ?? part.split('\n')[0];
    const [, , ...lines] = part.split('\n').filter((line) => line.startsWith('| '));
    const cells = lines.map((line) => line.split(' | ')[0]?.slice(2) ?? '');
    return cells.flatMap((cell) => cell.split('<br>')).map((text) => ({ text, section }));
  });
}

type Module = (typeof modules)[number];

function visit({ name, source }: Module, visitor: ConstructorParameters<typeof Visitor>[0]): void {
  new Visitor(visitor).visit(parseSync(name, source).program);
}

/** Every string and template; those that are the message of a cause, or a warning, with their section. */
function textsIn(module: Module): readonly Told[] {
  const texts: Told[] = [];
  // What surrounds a text is visited before it.
  const sections = new Map<ESTree.Node | undefined, string>();
  const add = (node: ESTree.Node): void => {
    const text = textOf(node);
    if (text !== undefined) texts.push({ text, section: sections.get(node) });
  };
  visit(module, {
    Literal: add,
    TemplateLiteral: add,
    ObjectExpression({ properties }) {
      const reason = textOf(valueOf(properties, 'reason'));
      if (reason) sections.set(valueOf(properties, 'message'), reason);
    },
    CallExpression({ callee, arguments: [first] }) {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      if (['warning', 'notice'].includes(callee.property.name)) sections.set(first, WARNINGS);
    },
  });
  return texts;
}

function textOf(node: ESTree.Node | undefined): string | undefined {
  if (node?.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.cooked).join('…');
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}

function valueOf(properties: ESTree.ObjectExpression['properties'], name: string): ESTree.Node | undefined {
  for (const property of properties) {
    if (property.type === 'Property' && property.key.type === 'Identifier' && property.key.name === name)
      return property.value;
  }
  return undefined;
}

function reasonsIn(all: readonly Module[]): readonly string[] {
  const reasons: string[] = [];
  for (const module of all.filter(({ name }) => name === 'lib/cause.ts')) {
    visit(module, {
      TSTypeAliasDeclaration({ id, typeAnnotation }) {
        if (id.name !== 'Reason' || typeAnnotation.type !== 'TSUnionType') return;
        for (const member of typeAnnotation.types)
          if (member.type === 'TSLiteralType') reasons.push(textOf(member.literal) ?? '');
      },
    });
  }
  return reasons;
}

/** What is said of a failed request is put together from pieces, and its reason is worked out: so it is asked for. */
function serviceErrors(): readonly Told[] {
  const statuses = [301, 400, 401, 402, 403, 404, 407, 408, 409, 413, 415, 422, 429, 500, 502, 503, 504];
  const failures: readonly Failure[] = [
    ...statuses.map(
      (status) => ({ kind: 'status', status, words: '…', location: undefined, retryAfter: undefined }) as const,
    ),
    { kind: 'connection', error: new ConnectionError('…', { maybeReceived: false }) },
    { kind: 'unreadable', words: '…', isJson: true },
    { kind: 'unreadable', words: '…', isJson: false },
  ];
  return Object.values(ENDPOINTS).flatMap(({ operation }) =>
    failures.map((failure) => {
      const { message, reason } = explain(new ServiceError(operation, failure));
      return { text: message, section: reason };
    }),
  );
}
