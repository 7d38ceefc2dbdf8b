import { Hono } from 'hono';
import type { Emails } from './emails.ts';
import { emailFrame, emailPage, mailboxPage } from './mailbox-pages.ts';

/** The mailbox as pages (/mailbox) and as JSON for tests (/mailbox/api/messages). */
export function mailboxRoutes(emails: Emails): Hono {
  const app = new Hono();
  app.get('/mailbox', (c) =>
    c.html(mailboxPage(emails.list(c.req.query('to') || undefined), c.req.query('to') ?? '')),
  );
  app.post('/mailbox/empty', (c) => {
    emails.remove();
    return c.redirect('/mailbox', 303);
  });
  app.get('/mailbox/api/newest', (c) => c.json({ id: emails.list()[0]?.id ?? null }));
  app.get('/mailbox/api/messages', (c) => c.json({ messages: emails.list(c.req.query('to') || undefined) }));
  app.delete('/mailbox/api/messages', (c) =>
    c.json({ deleted: emails.remove(c.req.query('to') || undefined) }),
  );
  app.get('/mailbox/:id', (c) => {
    const email = emails.find(c.req.param('id'));
    return email
      ? c.html(emailPage(email, c.req.query('part')))
      : c.html(mailboxPage([], '', 'This email was deleted.'), 404);
  });
  app.get('/mailbox/:id/html', (c) => {
    const email = emails.find(c.req.param('id'));
    if (!email) return c.text('Not found', 404);
    // Emails may show their own images and styles, but must not run scripts or reach this server.
    c.header(
      'content-security-policy',
      "sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation; script-src 'none'; form-action 'none'",
    );
    return c.html(emailFrame(email));
  });
  return app;
}
