import { useEffect, useRef } from 'react';
import { site } from '../api/site.ts';

let titleAwaited = false;

/** Called by the root after a change of page: the next title shown takes the focus, and so is read out. */
export function awaitPageTitle() {
  titleAwaited = true;
  settle(document.querySelector<HTMLElement>('h1'));
}

function settle(heading: HTMLElement | null) {
  if (!titleAwaited || !heading) return;
  titleAwaited = false;
  // A page that set the focus itself (a search box, a dialog) keeps it.
  const taken = document.activeElement?.closest('main, dialog');
  if (!taken) heading.focus({ preventScroll: true });
}

/** Names the page in the tab and history; put the ref on its <h1 tabIndex={-1}>. */
export function usePageTitle(title: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${site.club_name}`;
  }, [title]);
  useEffect(() => settle(heading.current), []);
  return heading;
}
