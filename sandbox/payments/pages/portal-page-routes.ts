import { type Context, Hono } from 'hono';
import type { PortalSession } from '../http/wire.ts';
import type { CardEntry } from '../resources/cards.ts';
import { type CardChange, confirmCard, enterCard } from '../resources/portal.ts';
import type { World } from '../store/world.ts';
import { authenticatePage, closedPage } from './checkout-page.ts';
import { readForm, redirect } from './checkout-page-routes.ts';
import { cardPage } from './portal-page.ts';

/** The hosted billing portal. `save` runs after each change. */
export function portalPages(world: World, save: () => void): Hono {
  const app = new Hono();

  const withSession = async (c: Context, run: (session: PortalSession) => Response | Promise<Response>) => {
    const session = world.state.portal_sessions[c.req.param('id') ?? ''];
    return session ? run(session) : c.html(closedPage(world, null), 404);
  };
  const afterCard = (c: Context, session: PortalSession, change: CardChange, entry: Partial<CardEntry>) => {
    save();
    if (change.kind === 'saved')
      return redirect(
        session.flow?.after_completion.redirect?.return_url ??
          session.return_url ??
          `/p/session/${session.id}`,
      );
    if (change.kind === 'authenticate') return redirect(`/p/session/${session.id}/card/authenticate`);
    return c.html(cardPage(world, session, entry, change.problems), 402);
  };

  app.get('/p/session/:id', (c) => withSession(c, (session) => c.html(cardPage(world, session))));
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
      if (!challenge) return redirect(`/p/session/${session.id}`);
      const action = `/p/session/${session.id}/card/authenticate`;
      return c.html(authenticatePage(world, { action, token: challenge.token, amount: null }));
    }),
  );
  app.post('/p/session/:id/card/authenticate', (c) =>
    withSession(c, async (session) => {
      const form = await readForm(c.req.raw);
      const isPassed = form('answer') === 'complete';
      return afterCard(c, session, confirmCard(world, session, form('token'), isPassed), {});
    }),
  );
  return app;
}
