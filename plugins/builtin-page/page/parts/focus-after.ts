import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/** When `box` goes away with the focus in it, the focus goes to what `next` finds, and not to the top of the page. */
export function useFocusAfter(
  box: RefObject<HTMLElement | null>,
  next: () => HTMLElement | null | undefined,
): void {
  useLayoutEffect(
    () => () => {
      if (!box.current?.contains(document.activeElement)) return;
      requestAnimationFrame(() => next()?.focus());
    },
    [],
  );
}
