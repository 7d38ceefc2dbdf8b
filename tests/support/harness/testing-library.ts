import { cleanup, configure } from '@testing-library/react';
import { afterEach, vi } from 'vitest';
import { site } from '../../../src/web/api/site.ts';

// These tests get the processor time that others leave, and the first loads the whole app. A wait still ends as soon as its
// condition holds.
configure({ asyncUtilTimeout: 30_000 });

const siteAsLoaded = { ...site };

// Files share a window: what one test renders, stores or sets must not reach the next.
afterEach(() => {
  // Some tests run without a window.
  if (typeof window === 'undefined') return;
  cleanup();
  vi.useRealTimers();
  Object.assign(site, siteAsLoaded);
  localStorage.clear();
  sessionStorage.clear();
});
