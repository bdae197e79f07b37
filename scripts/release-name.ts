/**
 * Puts the action's real name in place of the placeholder, in every tracked file:
 * `npm run release:name -- owner/repo`. The current name is `repository` in package.json.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
/** As GitHub allows them. */
const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})\/[A-Za-z0-9._-]{1,100}$/;

/** Renames the action in the repository at `root`. Returns the files that were changed. */
export function renameAction(root: string, name: string): readonly string[] {
  if (!NAME.test(name))
    throw new Error(`"${name}" is not the name of a repository. Use npm run release:name -- owner/repo`);
  const current = currentName(root);
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0');
  const isText = (file: string): boolean =>
    // dist/ is built from the sources and does not contain the name.
    file !== '' &&
    !file.startsWith('dist/') &&
    statSync(path.join(root, file), { throwIfNoEntry: false })?.isFile() === true;
  return tracked.filter(isText).filter((file) => {
    const before = readFileSync(path.join(root, file), 'utf8');
    // The name must end there, so that a longer name which begins with it is left alone.
    const after = before.split(current).reduce((text, part) => text + (/^[\w-]/.test(part) ? current : name) + part);
    if (after !== before) writeFileSync(path.join(root, file), after);
    return after !== before;
  });
}

function currentName(root: string): string {
  const { repository } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  return String(repository).replace(/^github:/, '');
}

if (import.meta.main) {
  try {
    const changed = renameAction(ROOT, process.argv[2] ?? '');
    console.log(`Changed ${changed.length} files:\n${changed.join('\n')}`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 2;
  }
}
