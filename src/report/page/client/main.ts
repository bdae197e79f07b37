import { revealAll, revealInTime } from './document.ts';
import { startFinder } from './finder.ts';
import { startLightbox } from './lightbox.ts';
import { startReview } from './review.ts';

startFinder();
startReview();
startLightbox();
revealInTime();

/** On paper everything is open. */
let folded: readonly HTMLDetailsElement[] = [];
addEventListener('beforeprint', () => {
  revealAll();
  folded = [...document.querySelectorAll<HTMLDetailsElement>('details:not([open])')];
  for (const one of folded) one.open = true;
});
addEventListener('afterprint', () => {
  for (const one of folded) one.open = false;
});
