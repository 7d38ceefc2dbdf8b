import { z } from 'zod';

/**
 * Every text of a call begins with this, as tests/contract/text-length.test.ts holds: one with more than `max` code points
 * is refused, with `message`, before any pattern, change or refinement runs. zod alone runs them after a failed length.
 * The server refuses or repairs what Postgres cannot store before it applies the schema.
 */
export const text = (max: number, message?: string) => z.string().max(max, { abort: true, error: message });
