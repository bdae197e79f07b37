import { filesIn, groups, reveal } from './document.ts';

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

function issuesIn(group: HTMLElement | undefined): readonly HTMLElement[] {
  if (!group) return [];
  reveal(group);
  return [...group.querySelectorAll<HTMLElement>('.issue')].filter((issue) => !issue.closest('[hidden]'));
}

/** To the next or previous issue that is shown; at first to the one that is in view. */
function move(by: 1 | -1): boolean {
  const shown = groups.filter(({ hidden }) => !hidden);
  const current = currentIssue();
  const start = current?.closest<HTMLElement>('.group') ?? shown.find(isInView) ?? shown[0];
  const own = issuesIn(start);
  const next = current ? own[own.indexOf(current) + by] : firstInView(start, own);
  if (next) return go(next);
  for (let at = start ? shown.indexOf(start) + by : 0; at >= 0 && at < shown.length; at += by) {
    const other = issuesIn(shown[at]).at(by === 1 ? 0 : -1);
    if (other) return go(other);
  }
  return true;
}

/** The first issue of the first file in view. */
function firstInView(group: HTMLElement | undefined, issues: readonly HTMLElement[]): HTMLElement | undefined {
  const file = group && filesIn(group).find((one) => !one.hidden && isInView(one));
  return issues.find((issue) => !file || file.contains(issue));
}

function isInView(element: HTMLElement): boolean {
  return element.getBoundingClientRect().bottom > 80;
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

/** A page on disk has an address that nobody else can open, so the service's own page of the issue is better. */
function linkTo(id: string): { readonly address: string; readonly kind: string; readonly note: string } {
  const address = new URL(`#${id}`, location.href).href;
  if (location.protocol !== 'file:') return { address, kind: 'The link', note: '' };
  const service = document.getElementById(id)?.querySelector<HTMLAnchorElement>('.ref a')?.href;
  if (service !== undefined) return { address: service, kind: "The service's link", note: '' };
  return { address, kind: 'The link', note: ' It opens only if this file is in the same place.' };
}

async function copyLink(id: string): Promise<void> {
  const { address, kind, note } = linkTo(id);
  const isCopied =
    (await navigator.clipboard?.writeText(address).then(
      () => true,
      () => copySelected(address),
    )) ?? copySelected(address);
  if (!isCopied) location.hash = id;
  const status = document.getElementById('copied');
  if (!status) return;
  status.textContent = isCopied
    ? `${kind} to this issue is copied.${note}`
    : 'The link to this issue is in the address bar.';
  setTimeout(() => {
    status.textContent = '';
  }, 3_000);
}

/** For a page from disk, which some browsers do not give a clipboard. */
function copySelected(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return isCopied;
}
