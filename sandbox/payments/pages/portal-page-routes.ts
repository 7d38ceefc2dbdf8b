import { type Context, Hono } from 'hono';
import type { PortalSession, Subscription } from '../http/wire.ts';
import type { CardEntry } from '../resources/cards.ts';
import { type CardChange, confirmCard, enterCard } from '../resources/portal.ts';
import type { World } from '../store/world.ts';
import { release } from '../subscriptions/schedule-phases.ts';
import { cancelNow } from '../subscriptions/subscription-end.ts';
import { updateSubscription } from '../subscriptions/subscription-update.ts';
import { authenticatePage, closedPage } from './checkout-page.ts';
import { readForm, redirect } from './checkout-page-routes.ts';
import { cancelPage, cardPage, portalHome } from './portal-page.ts';

/** The hosted billing portal. `save` runs after each change. */
export function portalPages(world: World, save: () => void): Hono {
  const app = new Hono();

  const withSession = async (c: Context, run: (session: PortalSession) => Response | Promise<Response>) => {
    const session = world.state.portal_sessions[c.req.param('id') ?? ''];
    return session ? run(session) : c.html(closedPage(world, null), 404);
  };
  const owned = (session: PortalSession, id: string): Subscription | null => {
    const found = world.state.subscriptions[id];
    return found && found.customer === session.customer && found.ended_at === null ? found : null;
  };
  /** Redirects after a completed flow: to the URL the shop asked for, or to the portal's home page. */
  const done = (session: PortalSession) =>
    redirect(
      session.flow?.after_completion.redirect?.return_url ??
        (session.flow && session.return_url ? session.return_url : `/p/session/${session.id}`),
    );
  const afterCard = (c: Context, session: PortalSession, change: CardChange, entry: Partial<CardEntry>) => {
    save();
    if (change.kind === 'saved') return done(session);
    if (change.kind === 'authenticate') return redirect(`/p/session/${session.id}/card/authenticate`);
    return c.html(cardPage(world, session, entry, change.problems), 402);
  };

  app.get('/p/session/:id', (c) =>
    withSession(c, (session) => {
      const flow = session.flow;
      if (flow?.type === 'payment_method_update') return c.html(cardPage(world, session));
      const subscription = flow && owned(session, flow.subscription_cancel?.subscription ?? '');
      return c.html(subscription ? cancelPage(world, session, subscription) : portalHome(world, session));
    }),
  );
  app.get('/p/session/:id/card', (c) => withSession(c, (session) => c.html(cardPage(world, session))));
  app.post('/p/session/:id/card', (c) =>
    withSession(c, async (session) => {
      const form = await readForm(c.req.raw);
      const entry = { number: form('number'), expiry: form('expiry'), cvc: form('cvc'), name: form('name') };
      return afterCard(c, session, enterCard(world, session, entry), entry);
    }),
  );
  app.get('/p/session/:id/card/authenticate', (c) =>
    withSession(c, (session) => {
      const challenge = world.state.portal_challenges[session.id];
      if (!challenge) return redirect(`/p/session/${session.id}/card`);
      const action = `/p/session/${session.id}/card/authenticate`;
      return c.html(authenticatePage(world, { action, token: challenge.token, amount: null }));
    }),
  );
  app.post('/p/session/:id/card/authenticate', (c) =>
    withSession(c, async (session) => {
      const form = await readForm(c.req.raw);
      const passed = form('answer') === 'complete';
      return afterCard(c, session, confirmCard(world, session, form('token'), passed), {});
    }),
  );

  app.get('/p/session/:id/cancel', (c) =>
    withSession(c, (session) => {
      const subscription = owned(session, c.req.query('subscription') ?? '');
      return subscription
        ? c.html(cancelPage(world, session, subscription))
        : redirect(`/p/session/${session.id}`);
    }),
  );
  app.post('/p/session/:id/cancel', (c) =>
    withSession(c, async (session) => {
      const form = await readForm(c.req.raw);
      const subscription = owned(session, form('subscription'));
      const configuration = world.state.portal_configurations[session.configuration];
      const schedule = world.state.schedules[subscription?.schedule ?? ''];
      // A canceled subscription no longer needs its scheduled price change.
      if (schedule) release(world, schedule);
      if (subscription && configuration?.features.subscription_cancel.mode === 'immediately')
        cancelNow(world, subscription);
      else if (subscription) updateSubscription(world, subscription, { cancel_at_period_end: true });
      save();
      return done(session);
    }),
  );
  app.post('/p/session/:id/resume', (c) =>
    withSession(c, async (session) => {
      const form = await readForm(c.req.raw);
      const subscription = owned(session, form('subscription'));
      if (subscription) updateSubscription(world, subscription, { cancel_at_period_end: false });
      save();
      return redirect(`/p/session/${session.id}`);
    }),
  );
  return app;
}
