import { expect, it } from 'vitest';
import { explain } from '../../../scripts/serve/explain.ts';

it('an error that was not expected is shown with all that caused it', () => {
  const refused = new Error('connect ECONNREFUSED 127.0.0.1:3000');
  const failed = new TypeError('fetch failed', { cause: new Error('no connection', { cause: refused }) });
  expect(explain(failed)).toMatch(
    /^TypeError: fetch failed[\s\S]*\nCaused by: Error: no connection[\s\S]*\nCaused by: Error: connect ECONNREFUSED 127\.0\.0\.1:3000/,
  );
  expect(explain('stopped')).toBe('stopped');
});
