/** Scrolling to an entry or a turn. Entries outside the view are laid out with estimated heights (content-visibility), so that the
 * first scroll misses the place by the difference. The element is aligned again in the next frames, when the heights are known. */
const frames = 6;
let target: Element | null = null;

/** The element that is being aligned; null if none is. */
export const scrollTarget = (): Element | null => target;

/** A later call replaces an earlier one. */
export function scrollToElement(box: Element | null | undefined, block: 'start' | 'center'): void {
  if (!box) return;
  target = box;
  const align = (left: number): void => {
    if (target !== box) return;
    box.scrollIntoView({ block });
    if (left > 0 && box.isConnected) requestAnimationFrame(() => align(left - 1));
    else target = null;
  };
  align(frames);
}
