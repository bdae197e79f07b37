/** An image enlarged over the page, with zoom. */

const MIN_SCALE = 0.05;
const MAX_SCALE = 16;

export function startLightbox(): void {
  const dialog = document.querySelector<HTMLDialogElement>('#lightbox');
  const stage = dialog?.querySelector<HTMLElement>('.stage');
  if (!dialog || !stage) return;
  let image: HTMLImageElement | undefined;
  let scale = 1;

  const zoomTo = (wanted: number): void => {
    if (!image) return;
    scale = Math.min(MAX_SCALE, Math.max(MIN_SCALE, wanted));
    image.style.width = `${naturalWidth(image) * scale}px`;
  };
  const fit = (): void => {
    if (!image) return;
    const height = naturalWidth(image) * (image.naturalHeight / image.naturalWidth || 1);
    zoomTo(Math.min(stage.clientWidth / naturalWidth(image), stage.clientHeight / height));
  };

  document.addEventListener('click', (event) => {
    const source = event.target instanceof Element ? event.target.closest('.zoom')?.querySelector('img') : undefined;
    if (!source) return;
    image = new Image();
    image.src = source.src;
    image.alt = source.alt;
    stage.replaceChildren(image);
    dialog.showModal();
    fit();
  });
  dialog.addEventListener('close', () => stage.replaceChildren());
  document.getElementById('larger')?.addEventListener('click', () => zoomTo(scale * 1.5));
  document.getElementById('smaller')?.addEventListener('click', () => zoomTo(scale / 1.5));
  document.getElementById('fit')?.addEventListener('click', fit);
  stage.addEventListener('wheel', (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoomTo(scale * (event.deltaY < 0 ? 1.15 : 1 / 1.15));
  });
  dialog.addEventListener('keydown', ({ key }) => {
    if (key === '+' || key === '=') zoomTo(scale * 1.5);
    if (key === '-') zoomTo(scale / 1.5);
    if (key === '0') fit();
  });
}

/** A drawing may have no size of its own. */
function naturalWidth(image: HTMLImageElement): number {
  return image.naturalWidth || 800;
}
