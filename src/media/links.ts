import { lstat, readlink, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { author, type Cause, FILE, workflowOwner } from '../causes/cause.ts';
import { exclusionOf, FilePatterns, isFileName, literal } from './patterns.ts';
import { isBelow, listBelow, relativeTo } from './walk.ts';

/**
 * No link is followed. If a reader of the repository can open selected paths through this link, it must lead to files
 * that are selected at their own paths: then their content is checked. Otherwise the link is a problem.
 */
export async function findLinkProblems(root: string, link: string, patterns: FilePatterns): Promise<readonly Cause[]> {
  // Nothing is behind a link to a file, whatever it leads through.
  const end = await stat(path.join(root, link)).catch(() => undefined);
  if (end?.isFile() && !patterns.selects(link)) return [];
  const target = await targetOf(root, link);
  const unselected = target && (await unselectedBehind(root, link, target, patterns));
  if (unselected?.length === 0) return [];
  const shown = await readlink(path.join(root, link));
  const message = `Links are not followed. What this one leads to (\`${shown}\`) is missing, or \`files\` does not select all of it.`;
  const putItself = author(`Put the file or folder itself at ${FILE}, or remove the link. Then commit and push.`);
  const line = target && unselected && lineFor(target, unselected, patterns);
  const add =
    line === undefined ? [] : [workflowOwner(`To check what it leads to, add ${line} to the input \`files\`.`)];
  const exclude = workflowOwner(
    `If nothing behind ${FILE} is published, add the line \`${exclusionOf(link)}\` to the input \`files\`.`,
  );
  return [{ reason: 'pre-flight', path: link, message, steps: [putItself, ...add, exclude] }];
}

interface Target {
  /** Relative to the root, without links. */
  readonly path: string;
  readonly isFolder: boolean;
}

/** Undefined if the link leads nowhere, to another link, out of the root, into `.git`, or to a folder that contains it. */
async function targetOf(root: string, link: string): Promise<Target | undefined> {
  try {
    const place = path.join(root, link);
    const direct = path.resolve(path.dirname(place), await readlink(place));
    const target = relativeTo(root, direct);
    if (target === undefined || (await realpath(direct)) !== direct) return undefined;
    if (target.split('/').includes('.git') || isBelow(target, link)) return undefined;
    return { path: target, isFolder: (await lstat(direct)).isDirectory() };
  } catch {
    return undefined;
  }
}

/**
 * The files that are selected by their path through the link, but not by their own. Undefined if no line of `files` can
 * help: a link behind the link, or a folder that cannot be opened.
 */
async function unselectedBehind(
  root: string,
  link: string,
  target: Target,
  patterns: FilePatterns,
): Promise<readonly string[] | undefined> {
  const isHidden = (shown: string, own: string): boolean => patterns.selects(shown) && !patterns.selects(own);
  if (!target.isFolder) return isHidden(link, target.path) ? [target.path] : [];
  const through = (own: string): string => link + own.slice(target.path.length);
  const canSelectIn = (place: string): boolean => patterns.search(place) !== 'nowhere';
  const { entries, unreadable } = await listBelow(root, target.path, (own) => canSelectIn(through(own)));
  const links = entries.filter(({ kind }) => kind === 'link').map((each) => each.path);
  const isBlocked = links.some((each) => patterns.selects(through(each)) || canSelectIn(through(each)));
  if (isBlocked || unreadable.size > 0) return undefined;
  return entries.map((each) => each.path).filter((own) => isHidden(through(own), own));
}

/** What to add to `files` so that it selects these files behind a link. Undefined if one line cannot do that. */
function lineFor(target: Target, files: readonly string[], { own }: FilePatterns): string | undefined {
  const endings = files.map((file) => {
    const name = path.posix.basename(file);
    return isFileName(name) ? `*${literal(path.posix.extname(name).toLowerCase())}` : literal(name);
  });
  const [first = '', ...others] = [...new Set(endings)];
  const ending = others.length > 0 ? `{${[first, ...others].join(',')}}` : first;
  const line = target.isFolder ? `${literal(target.path)}/**/${ending}` : literal(target.path);
  if (!files.every(new FilePatterns([line]).selects)) return undefined;
  // Without lines of the user's own, an added line would replace the default ones. `**` stands for these.
  return own.length > 0 ? `the line \`${line}\`` : `the line \`${line}\`, after a first line \`**\``;
}
