import { configure } from '@testing-library/react';

// A wait ends as soon as what it waits for is there; on a busy machine that may be later than a second.
configure({ asyncUtilTimeout: 10_000 });
