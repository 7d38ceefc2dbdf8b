import type { Context, Env, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { Refusal } from '../../contract/refusals.ts';
import { errorResponse } from '../api/errors.ts';
import type { FloodLimit } from '../platform/flood-limit.ts';
import { turnPersonalEmailsOff } from '../reports/at-risk/personal-emails.ts';

type Deps = Parameters<typeof turnPersonalEmailsOff>[0] & { flood: FloodLimit };

const MAX_BODY_BYTES = 1024;
/** A large mail provider sends those of all its users from a few hosts. */
const FROM_ONE_CLIENT = { max: 300, window: 60 };

/**
 * Mail programs turn personal emails off with one press (RFC 8058), at the address of the List-Unsubscribe header. Opening
 * that address shows the page with a button instead, so that programs that only follow links change nothing.
 */
export function mountUnsubscribe<E extends Env>(
  app: Hono<E>,
  deps: Deps,
  clientIp: (c: Context) => string,
): void {
  const tooLarge = () => errorResponse('BODY_TOO_LARGE');
  app.post('/unsubscribe', bodyLimit({ maxSize: MAX_BODY_BYTES, onError: tooLarge }), async (c) => {
    const retry_after_seconds = deps.flood.wait(`unsubscribe|${clientIp(c)}`, FROM_ONE_CLIENT);
    if (retry_after_seconds > 0) return errorResponse('TOO_MANY_ATTEMPTS', { retry_after_seconds });
    const said: Record<string, unknown> = await c.req.parseBody().catch(() => ({}));
    if (said['List-Unsubscribe'] !== 'One-Click') return errorResponse('LINK_INVALID');
    try {
      await turnPersonalEmailsOff(deps, { token: c.req.query('token') ?? '' });
    } catch (error) {
      if (error instanceof Refusal) return errorResponse(error.code, error.data);
      throw error;
    }
    return c.text('Personal emails are off.');
  });
}
