import { spawn } from 'node:child_process';
import { registerHooks } from 'node:module';
import { text as readAll } from 'node:stream/consumers';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { findProgram } from '../../scripts/find-program.ts';
import { type ActionMetadata, knownActions } from './actions.ts';
import { ROOT, readText } from './files.ts';

/** What is wrong with a file, one line each. */
export type Lint = (path: string, text: string) => Promise<readonly string[]>;

/** GitHub's language service, which its editors use. It reads our own action.yml. */
export async function languageService(): Promise<Lint> {
  const { validate } = await importWithJson(async () => await import('@actions/languageservice'));
  const known = await knownActions();
  const config: Parameters<typeof validate>[1] = {
    actionsMetadataProvider: {
      fetchActionMetadata: async ({ owner, name, path }) => {
        const action = [owner, name, ...(path ? [path] : [])].join('/');
        return mutable(known.get(ALIASES.get(action) ?? action));
      },
    },
    fileProvider: {
      getFileContent: async () => ({
        name: 'media.yml',
        content: await readText('examples/workflows/organisation-gate.yml'),
      }),
    },
  };
  let documents = 0;
  return async (path, text) => {
    // It looks at nothing that is not named like a workflow or an action, and not into actions of the same repository.
    const name = /(^|\/)action\.yml$/.test(path) ? path : `.github/workflows/${path.split('/').pop()}`;
    const named = [...ALIASES].reduce(
      (all, [alias, own]) => all.replaceAll(`uses: ${own}\n`, `uses: ${alias}@v0\n`),
      text,
    );
    // It caches a file by its URI, without its content.
    const document = TextDocument.create(`file:///${documents++}/${name}`, 'yaml', 1, named);
    const diagnostics = await validate(document, config);
    return diagnostics.map(
      ({ range, message }) =>
        `${path}:${range.start.line + 1} ${typeof message === 'string' ? message : message.value}`,
    );
  };
}

/** Names that the language service can look up, for those that it would pass over. */
const ALIASES = new Map([
  ['local/gate', './'],
  ['local/emulator', './emulator'],
]);

function mutable(metadata: ActionMetadata | undefined) {
  return metadata && { name: metadata.name, description: metadata.description, inputs: { ...metadata.inputs } };
}

/** The packages import JSON files in the way of bundlers, which Node does not allow. */
async function importWithJson<T>(load: () => Promise<T>): Promise<T> {
  const hooks = registerHooks({
    resolve: (specifier, context, next) => {
      const resolved = next(specifier, context);
      return resolved.url.endsWith('.json') ? { ...resolved, importAttributes: { type: 'json' } } : resolved;
    },
  });
  try {
    return await load();
  } finally {
    hooks.deregister();
  }
}

export function findActionlint(): string | undefined {
  return findProgram({ variable: 'ACTIONLINT', names: ['actionlint'], places: [] });
}

interface LintMessage {
  readonly line: number;
  readonly message: string;
  readonly kind: string;
}

/** actionlint: types of expressions, shells, cron lines, runner labels, and text from outside in scripts. */
export function actionlint(program: string): Lint {
  // Other linters that it would find on the machine are left out, so that the result is the same everywhere.
  const options = ['-shellcheck=', '-pyflakes=', '-format', '{{json .}}'];
  return async (path, text) => {
    const child = spawn(program, [...options, '-stdin-filename', path, '-'], {
      cwd: ROOT,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdin.end(text);
    const messages: readonly LintMessage[] = JSON.parse(await readAll(child.stdout));
    return messages.map(({ line, message, kind }) => `${path}:${line} ${message} [${kind}]`);
  };
}
