import { Hono } from 'hono';
import { mailboxPage, mailFrame, mailPage } from './mailbox-pages.ts';
import type { Mails } from './mails.ts';

/** The mailbox for people (/mailbox) and for tests (/mailbox/api/messages). */
export function mailboxRoutes(mails: Mails): Hono {
  const app = new Hono();
  app.get('/mailbox', (c) =>
    c.html(mailboxPage(mails.list(c.req.query('to') || undefined), c.req.query('to') ?? '')),
  );
  app.post('/mailbox/empty', (c) => {
    mails.remove();
    return c.redirect('/mailbox', 303);
  });
  app.get('/mailbox/api/newest', (c) => c.json({ id: mails.list()[0]?.id ?? null }));
  app.get('/mailbox/api/messages', (c) => c.json({ messages: mails.list(c.req.query('to') || undefined) }));
  app.get('/mailbox/api/messages/:id', (c) => {
    const mail = mails.find(c.req.param('id'));
    return mail ? c.json(mail) : c.json({ error: 'No such message' }, 404);
  });
  app.delete('/mailbox/api/messages', (c) =>
    c.json({ deleted: mails.remove({ to: c.req.query('to') || undefined }) }),
  );
  app.delete('/mailbox/api/messages/:id', (c) =>
    c.json({ deleted: mails.remove({ id: c.req.param('id') }) }),
  );
  app.get('/mailbox/:id', (c) => {
    const mail = mails.find(c.req.param('id'));
    return mail ? c.html(mailPage(mail)) : c.html(mailboxPage([], '', 'That mail is gone.'), 404);
  });
  app.get('/mailbox/:id/html', (c) => {
    const mail = mails.find(c.req.param('id'));
    if (!mail) return c.text('Gone', 404);
    // The mail may show pictures and styles of its own, but run nothing and reach nothing of this server.
    c.header(
      'content-security-policy',
      "sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation; script-src 'none'; form-action 'none'",
    );
    return c.html(mailFrame(mail));
  });
  return app;
}
