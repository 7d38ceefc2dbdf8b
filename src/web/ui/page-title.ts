import { useEffect, useLayoutEffect, useRef } from 'react';
import { site } from '../api/site.ts';

let focusPending = false;

/** Call after a change of page: the next title takes the focus, so that screen readers announce it. */
export function focusNextPageTitle() {
  focusPending = true;
  focusTitle(document.querySelector<HTMLElement>('h1'));
}

function focusTitle(heading: HTMLElement | null) {
  if (!focusPending || !heading) return;
  focusPending = false;
  // Unless the page has focused another element, such as a search box, a dialog or a side panel.
  const alreadyFocused = document.activeElement?.closest('main, dialog, aside');
  if (!alreadyFocused) heading.focus({ preventScroll: true });
}

/** Sets the page's name in the browser tab. Put the returned ref on its <h1 tabIndex={-1}>. */
export function usePageTitle(title: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${site.club_name}`;
  }, [title]);
  useEffect(() => focusTitle(heading.current), []);
  useLayoutEffect(() => {
    const element = heading.current;
    return () => {
      // A placeholder has the title while a page loads: the focus then moves on to the real one.
      if (element && document.activeElement === element) focusPending = true;
    };
  }, []);
  return heading;
}
