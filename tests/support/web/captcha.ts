import { act } from '@testing-library/react';
import { vi } from 'vitest';
import { site } from '../../../src/web/api/site.ts';

let solved: (solution: string) => void = () => undefined;

/** The page keeps the first widget it loaded, so there is one for all tests. */
const widget = {
  render(_: Element, { callback }: { callback(solution: string): void }) {
    solved = callback;
  },
};

/**
 * Gives the site a captcha with a widget that a test solves: call the returned function with the solution. Undone by
 * setting `site.captcha` to null, vi.restoreAllMocks and vi.unstubAllGlobals.
 */
export function stubCaptcha(): (solution: string) => void {
  vi.stubGlobal('turnstile', widget);
  vi.spyOn(document.head, 'append').mockImplementation((script) =>
    (script as HTMLScriptElement).onload?.(new Event('load')),
  );
  site.captcha = { provider: 'turnstile', site_key: 'public' };
  return (solution) => act(() => solved(solution));
}
