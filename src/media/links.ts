import { readlink, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { author, type Cause, FILE, workflowOwner } from '../causes/cause.ts';
import { relativeTo } from '../lib/file-system.ts';
import { exclusionOf, FilePatterns, isFileName, literal } from './patterns.ts';
import { listBelow } from './walk.ts';

/**
 * No link is followed. If a reader of the repository can open selected paths through this link, it must lead to files
 * that are selected at their own paths: then their content is checked. Otherwise the link is a problem.
 */
export async function findLinkProblems(root: string, link: string, patterns: FilePatterns): Promise<readonly Cause[]> {
  const end = await stat(path.join(root, link)).catch(() => undefined);
  const isFolder = end?.isDirectory() === true;
  // A link to a file has no paths behind it, so only its own path counts.
  if (end && !isFolder && !patterns.selects(link)) return [];
  const target = await targetOf(root, link);
  const isUnselected = (file: string): boolean => !patterns.selects(file);
  const unselected =
    target && (isFolder ? await unselectedBehind(root, link, target, patterns) : [target].filter(isUnselected));
  if (unselected?.length === 0) return [];
  const shown = await readlink(path.join(root, link));
  const message = `Links are not followed. What this one leads to (\`${shown}\`) is missing, outside the searched folder or a link, or \`files\` does not select all of it.`;
  const putItself = author(`Put the file or folder itself at ${FILE}, or remove the link. Then commit and push.`);
  const line = target && unselected && lineFor(target, unselected, patterns);
  const add =
    line === undefined ? [] : [workflowOwner(`To check what it leads to, add ${line} to the input \`files\`.`)];
  const exclude = workflowOwner(
    `If nothing behind ${FILE} is published, add the line \`${exclusionOf(link)}\` to the input \`files\`.`,
  );
  return [{ reason: 'pre-flight', path: link, message, steps: [putItself, ...add, exclude] }];
}

/** Undefined if the link leads nowhere, to another link, out of the root, into `.git`, or to a folder that contains it. */
async function targetOf(root: string, link: string): Promise<string | undefined> {
  try {
    const place = path.join(root, link);
    const direct = path.resolve(path.dirname(place), await readlink(place));
    const target = relativeTo(root, direct);
    if (target === undefined || (await realpath(direct)) !== direct) return undefined;
    return target.split('/').includes('.git') || relativeTo(direct, place) !== undefined ? undefined : target;
  } catch {
    return undefined;
  }
}

/**
 * The files that are selected by their path through the link to a folder, but not by their own. Undefined if no line of
 * `files` can help: a link behind the link, or a folder that cannot be opened.
 */
async function unselectedBehind(root: string, link: string, target: string, patterns: FilePatterns) {
  const through = (own: string): string => link + own.slice(target.length);
  const canSelectIn = (place: string): boolean => patterns.search(place) !== 'nowhere';
  const { files, links, unreadable } = await listBelow(root, target, (own) => canSelectIn(through(own)));
  const isBlocked = links.some((each) => patterns.selects(through(each)) || canSelectIn(through(each)));
  if (isBlocked || unreadable.size > 0) return undefined;
  return files.filter((own) => patterns.selects(through(own)) && !patterns.selects(own));
}

/** What to add to `files` so that it selects these files behind a link. Undefined if one line cannot do that. */
function lineFor(target: string, files: readonly string[], { userLines }: FilePatterns): string | undefined {
  const endings = files.map((file) => {
    const name = path.posix.basename(file);
    return isFileName(name) ? `*${literal(path.posix.extname(name).toLowerCase())}` : literal(name);
  });
  const [first = '', ...others] = [...new Set(endings)];
  const ending = others.length > 0 ? `{${[first, ...others].join(',')}}` : first;
  const line = files.includes(target) ? literal(target) : `${literal(target)}/**/${ending}`;
  if (!files.every(new FilePatterns([line]).selects)) return undefined;
  // If the user wrote no include pattern, an added line would replace the default ones. `**` stands for these.
  return userLines.length > 0 ? `the line \`${line}\`` : `the line \`${line}\`, after a first line \`**\``;
}
