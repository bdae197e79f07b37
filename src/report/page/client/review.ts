import { reveal, sections } from './document.ts';

/** Moving from issue to issue, times in a text, and links to an issue. */

export function startReview(): void {
  document.addEventListener('click', (event) => {
    const target = event.target instanceof Element ? event.target : undefined;
    const time = target?.closest<HTMLAnchorElement>('a.time');
    if (time) seek(time, event);
    const copy = target?.closest<HTMLAnchorElement>('a.copy');
    if (copy) {
      event.preventDefault();
      void copyLink(copy.hash.slice(1));
    }
  });
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
    const isTyping = event.target instanceof HTMLInputElement && event.target.type === 'search';
    if (isTyping) {
      if (event.key === 'Escape') event.target.blur();
      return;
    }
    if (press(event.key)) event.preventDefault();
  });
  document.getElementById('keys')?.addEventListener('click', () => press('?'));
}

function press(key: string): boolean {
  const search = document.querySelector<HTMLInputElement>('#search');
  switch (key) {
    case 'j':
      return move(1);
    case 'k':
      return move(-1);
    case 'c': {
      const id = currentIssue()?.id;
      if (id !== undefined) void copyLink(id);
      return id !== undefined;
    }
    case '/':
      // On a phone the search is folded.
      search?.closest('details')?.setAttribute('open', '');
      search?.focus();
      search?.select();
      return search !== null;
    case '?':
      document.querySelector<HTMLDialogElement>('#help')?.showModal();
      return true;
    default:
      return false;
  }
}

function currentIssue(): HTMLElement | undefined {
  return document.activeElement?.closest<HTMLElement>('.issue') ?? undefined;
}

function isShown(element: HTMLElement): boolean {
  return !element.hidden;
}

function issuesIn(section: HTMLElement | undefined): readonly HTMLElement[] {
  reveal(section);
  return [...(section?.querySelectorAll<HTMLElement>('.issue') ?? [])].filter(isShown);
}

/** To the next or previous issue that is shown; at first to the one that is in view. */
function move(by: 1 | -1): boolean {
  const shown = sections.filter(isShown);
  const current = currentIssue();
  const from = current?.closest<HTMLElement>('section.file') ?? firstInView(shown);
  let at = from ? shown.indexOf(from) : 0;
  const own = issuesIn(shown[at]);
  const next = current ? own[own.indexOf(current) + by] : own[0];
  if (next) return go(next);
  for (at += by; at >= 0 && at < shown.length; at += by) {
    const others = issuesIn(shown[at]);
    const other = by === 1 ? others[0] : others.at(-1);
    if (other) return go(other);
  }
  return true;
}

function firstInView(shown: readonly HTMLElement[]): HTMLElement | undefined {
  return shown.find((section) => section.getBoundingClientRect().bottom > 80) ?? shown[0];
}

function go(issue: HTMLElement): boolean {
  issue.focus({ preventScroll: true });
  issue.scrollIntoView({ block: 'start' });
  return true;
}

function seek(link: HTMLAnchorElement, event: Event): void {
  const media = document.getElementById(link.hash.slice(1))?.querySelector<HTMLMediaElement>('video, audio');
  if (!media) return;
  event.preventDefault();
  media.currentTime = Number(link.dataset['seconds']);
  media.scrollIntoView({ block: 'nearest' });
}

async function copyLink(id: string): Promise<void> {
  const address = new URL(`#${id}`, location.href).href;
  const status = document.getElementById('copied');
  try {
    await navigator.clipboard.writeText(address);
    if (status) status.textContent = 'The link to this issue is copied.';
  } catch {
    // No clipboard: the address bar has the link.
    location.hash = id;
    if (status) status.textContent = 'The link to this issue is in the address bar.';
  }
  setTimeout(() => {
    if (status) status.textContent = '';
  }, 3_000);
}
