import { configure } from '@testing-library/react';

// These tests have the processor time that browsers and races leave, and the first loads the whole app. A wait still ends
// as soon as its condition holds.
configure({ asyncUtilTimeout: 30_000 });
