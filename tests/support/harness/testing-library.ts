import { configure } from '@testing-library/react';
import { afterEach } from 'vitest';

// These tests have the processor time that the others leave, and the first loads the whole app. A wait still ends
// as soon as its condition holds.
configure({ asyncUtilTimeout: 30_000 });

// Files share a window: what one test's browser has stored must not reach the next.
afterEach(() => {
  // Some run without one.
  if (typeof window === 'undefined') return;
  localStorage.clear();
  sessionStorage.clear();
});
