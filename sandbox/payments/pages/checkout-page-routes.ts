import { Hono } from 'hono';
import type { CheckoutSession } from '../http/wire.ts';
import {
  type CheckoutEntry,
  type CheckoutResult,
  completeChallenge,
  submitCheckout,
  successUrl,
} from '../resources/checkout-payment.ts';
import type { World } from '../store/world.ts';
import { authenticatePage, checkoutPage, closedPage, dueToday } from './checkout-page.ts';

/** The hosted checkout. `save` runs after each change, before the response is sent. */
export function checkoutPages(world: World, save: () => void): Hono {
  const app = new Hono();

  const open = (id: string): CheckoutSession | null => world.state.sessions[id] ?? null;

  app.get('/c/pay/:id', (c) => {
    const session = open(c.req.param('id'));
    if (!session) return c.html(closedPage(world, null), 404);
    if (session.status !== 'open') return c.html(closedPage(world, session));
    return c.html(checkoutPage(world, session));
  });

  app.post('/c/pay/:id', async (c) => {
    const form = await readForm(c.req.raw);
    const session = open(c.req.param('id'));
    if (!session) return c.html(closedPage(world, null), 404);
    const entry = {
      email: form('email'),
      number: form('number'),
      expiry: form('expiry'),
      cvc: form('cvc'),
      name: form('name'),
      wallet: form('wallet'),
    };
    const result = submitCheckout(world, session, entry);
    save();
    return show(session, result, entry);
  });

  app.get('/c/pay/:id/authenticate', (c) => {
    const session = open(c.req.param('id'));
    const token = session && world.state.carts[session.id]?.challenge?.token;
    if (session?.status !== 'open') return c.html(closedPage(world, session), session ? 200 : 404);
    if (!token) return c.redirect(`/c/pay/${session.id}`, 303);
    return c.html(
      authenticatePage(world, {
        action: `/c/pay/${session.id}/authenticate`,
        token,
        amount: dueToday(session),
      }),
    );
  });

  app.post('/c/pay/:id/authenticate', async (c) => {
    const form = await readForm(c.req.raw);
    const session = open(c.req.param('id'));
    if (!session) return c.html(closedPage(world, null), 404);
    const result = completeChallenge(world, session, form('token'), form('answer') === 'complete');
    save();
    return show(session, result, {});
  });

  const show = (session: CheckoutSession, result: CheckoutResult, entry: Partial<CheckoutEntry>) => {
    if (result.kind === 'complete') return redirect(successUrl(session));
    if (result.kind === 'authenticate') return redirect(`/c/pay/${session.id}/authenticate`);
    const page =
      result.kind === 'closed'
        ? closedPage(world, session)
        : checkoutPage(world, session, entry, result.problems);
    return new Response(page, {
      status: result.kind === 'closed' ? 410 : 402,
      headers: { 'content-type': 'text/html; charset=utf-8' },
    });
  };

  return app;
}

/** Redirects with 303, so that a reload does not submit the form again. */
export function redirect(location: string): Response {
  return new Response(null, { status: 303, headers: { location } });
}

/** Returns a reader of the fields of a posted form; a missing field is empty. */
export async function readForm(request: Request): Promise<(name: string) => string> {
  const fields = new URLSearchParams(await request.text());
  return (name) => fields.get(name) ?? '';
}
