import { readIssues, type SourceIssue } from './issue-source.ts';

/** The files of the page. Most of them are a text at first, which becomes part of the document when it is needed. */

export interface PageIssue extends SourceIssue {
  readonly section: HTMLElement;
}

export const sections: readonly HTMLElement[] = [...document.querySelectorAll<HTMLElement>('section.file')];

/** The issues that pass the filters; undefined if there are none. */
let shownIds: ReadonlySet<string> | undefined;

/** A browser that runs scripts keeps the content of `noscript` as a text. It is our own, escaped HTML. */
export function reveal(section: Element | null | undefined): void {
  const deferred = section?.querySelector('noscript');
  if (!section || !deferred) return;
  deferred.outerHTML = deferred.textContent;
  hideFiltered(section);
}

export function revealAll(): void {
  for (const section of sections) reveal(section);
}

/** Shows these issues and their files alone; all if there is no filter. */
export function showIssues(ids: ReadonlySet<string> | undefined, files: ReadonlySet<HTMLElement>): void {
  shownIds = ids;
  for (const section of sections) {
    section.hidden = ids !== undefined && !files.has(section);
    if (!section.hidden) hideFiltered(section);
  }
}

function hideFiltered(section: Element): void {
  for (const issue of section.querySelectorAll<HTMLElement>('.issue'))
    issue.hidden = shownIds !== undefined && !shownIds.has(issue.id);
}

/** First the reader looks at what is on the screen. */
const IDLE_AFTER_MS = 1_500;

/** Before a reader scrolls there; the rest while the browser has nothing else to do, so that its own search finds all. */
export function revealInTime(): void {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        observer.unobserve(target);
        reveal(target);
        // The browser reads a film only now: hundreds at once would stop it.
        for (const media of target.querySelectorAll<HTMLMediaElement>(UNREAD_MEDIA)) media.preload = 'metadata';
      }
    },
    { rootMargin: '600px' },
  );
  for (const section of sections) observer.observe(section);
  const observeMediaOnly = (): void => {
    // Every observed file costs time in every frame.
    for (const section of sections) if (!section.querySelector(UNREAD_MEDIA)) observer.unobserve(section);
  };
  setTimeout(() => whenIdle(issuesOf, () => whenIdle(reveal, observeMediaOnly)), IDLE_AFTER_MS);
}

const UNREAD_MEDIA = '[preload=none]';

/** Does the work for one file after the other, each time for as long as the browser has nothing else to do. */
function whenIdle(work: (section: HTMLElement) => unknown, then: () => void): void {
  const request = 'requestIdleCallback' in window ? requestIdleCallback : (step: () => void) => setTimeout(step, 50);
  let next = 0;
  const step = (deadline?: IdleDeadline): void => {
    let hasTime = true;
    for (; hasTime && next < sections.length; next += 1) {
      const section = sections[next];
      if (section) work(section);
      hasTime = deadline !== undefined && deadline.timeRemaining() > 5;
    }
    if (next < sections.length) request(step);
    else then();
  };
  request(step);
}

/** The element with this id, even if it is not part of the document yet. */
export function findById(id: string): HTMLElement | null {
  const found = document.getElementById(id);
  if (found) return found;
  reveal(sections.find((section) => section.querySelector('noscript')?.textContent.includes(` id="${id}"`)));
  return document.getElementById(id);
}

const issuesBySection = new Map<HTMLElement, readonly PageIssue[]>();

function issuesOf(section: HTMLElement): readonly PageIssue[] {
  const known = issuesBySection.get(section);
  if (known) return known;
  const source = section.querySelector('noscript')?.textContent ?? bodyOf(section);
  const path = section.querySelector('.head code')?.textContent ?? '';
  const issues = readIssues(source, path).map((issue) => ({ ...issue, section }));
  issuesBySection.set(section, issues);
  return issues;
}

export function allIssues(): readonly PageIssue[] {
  return sections.flatMap(issuesOf);
}

/** Without the media, which are long. */
function bodyOf(section: HTMLElement): string {
  const copies = section.querySelector('.copies')?.innerHTML ?? '';
  return copies + (section.querySelector('.issues')?.innerHTML ?? '');
}
