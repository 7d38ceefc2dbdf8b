import { configure } from '@testing-library/react';

// A busy computer may need more than the default of one second. A wait still ends as soon as its condition holds.
configure({ asyncUtilTimeout: 10_000 });
