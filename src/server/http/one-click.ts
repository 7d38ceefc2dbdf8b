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
    deps.flood.take(`unsubscribe|${clientIp(c)}`, FROM_ONE_CLIENT);
    const form: Record<string, unknown> = await c.req.parseBody().catch(() => ({}));
    if (form['List-Unsubscribe'] !== 'One-Click') throw new Refusal('LINK_INVALID');
    await turnPersonalEmailsOff(deps, { token: c.req.query('token') ?? '' });
    return c.text('Personal emails are off.');
  });
}
