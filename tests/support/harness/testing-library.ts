import { configure } from '@testing-library/react';
import { afterEach } from 'vitest';

// These tests get the processor time that others leave, and the first loads the whole app. A wait still ends as soon as its
// condition holds.
configure({ asyncUtilTimeout: 30_000 });

// Files share a window: data stored by one test's browser must not reach the next.
afterEach(() => {
  // Some tests run without a window.
  if (typeof window === 'undefined') return;
  localStorage.clear();
  sessionStorage.clear();
});
