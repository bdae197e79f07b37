import { readIssues, type SourceIssue } from './issue-source.ts';

/** The files of the page, in groups. Most groups are a text at first, which becomes part of the document when needed. */

export const groups: readonly HTMLElement[] = [...document.querySelectorAll<HTMLElement>('.group')];

interface View {
  readonly issues: ReadonlySet<string>;
  readonly files: ReadonlySet<string>;
}

/** The issues and files that pass the filters; undefined if there are no filters. */
let view: View | undefined;

/** A browser that runs scripts keeps the content of `noscript` as a text. It is our own, escaped HTML. */
export function reveal(group: HTMLElement): void {
  const deferred = group.querySelector('noscript');
  if (!deferred) return;
  issuesOf(group);
  deferred.outerHTML = deferred.textContent;
  if (view) hideFiltered(group);
}

export function revealAll(): void {
  for (const group of groups) reveal(group);
}

/** The typical height of an issue. */
const ISSUE_PIXELS = 200;

/** Shows these issues and their files alone; all if there is no filter. */
export function showView(wanted: View | undefined): void {
  view = wanted;
  for (const group of groups) {
    const shown = wanted && issuesOf(group).filter(({ id }) => wanted.issues.has(id)).length;
    group.hidden = shown === 0;
    // Until it is laid out, the browser would keep room for all of its issues.
    group.style.containIntrinsicSize = shown === undefined ? '' : `none ${shown * ISSUE_PIXELS}px`;
    if (!group.hidden) hideFiltered(group);
  }
}

function hideFiltered(group: HTMLElement): void {
  for (const file of filesIn(group)) file.hidden = view !== undefined && !view.files.has(file.id);
  for (const issue of group.querySelectorAll<HTMLElement>('.issue'))
    issue.hidden = view !== undefined && !view.issues.has(issue.id);
}

export function filesIn(group: HTMLElement): readonly HTMLElement[] {
  return [...group.querySelectorAll<HTMLElement>('section.file')];
}

/** First the reader looks at what is on the screen. */
const IDLE_AFTER_MS = 1_500;

/** Before a reader scrolls there; the rest while the browser has nothing else to do, so that its own search finds all. */
export function revealInTime(): void {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting || !(target instanceof HTMLElement)) continue;
        observer.unobserve(target);
        reveal(target);
        // The browser reads a film only now: hundreds at once would stop it.
        for (const media of target.querySelectorAll<HTMLMediaElement>('[preload=none]')) media.preload = 'metadata';
      }
    },
    { rootMargin: '600px' },
  );
  for (const group of groups) observer.observe(group);
  setTimeout(() => whenIdle(issuesOf, () => whenIdle(reveal)), IDLE_AFTER_MS);
}

/** Does the work for one group after the other, each time for as long as the browser has nothing else to do. */
function whenIdle(work: (group: HTMLElement) => unknown, then?: () => void): void {
  const request = 'requestIdleCallback' in window ? requestIdleCallback : (step: () => void) => setTimeout(step, 50);
  let next = 0;
  const step = (deadline?: IdleDeadline): void => {
    let hasTime = true;
    for (; hasTime && next < groups.length; next += 1) {
      const group = groups[next];
      if (group) work(group);
      hasTime = deadline !== undefined && deadline.timeRemaining() > 5;
    }
    if (next < groups.length) request(step);
    else then?.();
  };
  request(step);
}

/** The element with this id, even if it is not part of the document yet. */
export function findById(id: string): HTMLElement | null {
  const found = document.getElementById(id);
  if (found) return found;
  const group = groups.find((one) => one.querySelector('noscript')?.textContent.includes(` id="${id}"`));
  if (group) reveal(group);
  return document.getElementById(id);
}

const folders: readonly string[] = [...document.querySelectorAll<HTMLInputElement>('#filters input[name=folder]')].map(
  ({ value }) => value,
);
const issuesByGroup = new Map<HTMLElement, readonly SourceIssue[]>();

function issuesOf(group: HTMLElement): readonly SourceIssue[] {
  const known = issuesByGroup.get(group);
  if (known) return known;
  const issues = readIssues(group.querySelector('noscript')?.textContent ?? group.innerHTML, folders);
  issuesByGroup.set(group, issues);
  return issues;
}

export function allIssues(): readonly SourceIssue[] {
  return groups.flatMap(issuesOf);
}
