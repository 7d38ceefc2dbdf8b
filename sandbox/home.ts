import { Hono } from 'hono';
import { document, html } from './look.ts';
import type { Emails } from './mailbox/emails.ts';
import type { Payments } from './payments/http/server.ts';
import { redirect } from './payments/pages/checkout-page-routes.ts';
import { day, money } from './payments/resources/money.ts';
import { advance } from './payments/store/clock.ts';
import { timeOf } from './payments/store/world.ts';

const STYLE = `
.home{max-width:64rem;margin:0 auto;padding:1.5rem 1.25rem 4rem;display:grid;gap:1.25rem}
.home>*{min-width:0}
.top{display:flex;justify-content:space-between;gap:1rem;align-items:flex-start;flex-wrap:wrap}
.clock{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center}
.clock form{margin:0}
.scroll{overflow-x:auto}
.scroll table{min-width:34rem}
.scroll td form{display:flex;justify-content:flex-end;margin:0}
.state{white-space:nowrap}
.plain{list-style:none;margin:0;padding:0;overflow-wrap:anywhere}
.ok{color:var(--good)}.no{color:var(--bad)}
`;
const STEPS = ['1 hour', '1 day', '1 week', '1 month'];

function receivers({ webhooks, world }: Payments): string {
  const endpoints = Object.values(world.state.webhook_endpoints);
  const urls = [
    webhooks.endpoint()?.url,
    ...endpoints.map(({ url, status }) => (status === 'enabled' ? url : `${url} (disabled)`)),
  ].filter((url) => url !== undefined);
  return urls.join(', ') || 'no endpoint yet';
}

/** The sandbox's home page: its contents and its clock. */
export function homePages(parts: { payments: Payments; emails: Emails }): Hono {
  const { payments, emails } = parts;
  const { world, webhooks } = payments;
  const app = new Hono();

  app.get('/', (c) => c.html(homePage()));
  app.post('/clock', async (c) => {
    const fields = new URLSearchParams(await c.req.text());
    advance(world, fields.get('advance'));
    payments.save();
    return redirect('/');
  });
  app.post('/replay', async (c) => {
    const fields = new URLSearchParams(await c.req.text());
    webhooks.replay(fields.get('event') ?? '');
    return redirect('/');
  });

  const homePage = () => {
    const now = timeOf(world);
    const subscriptions = Object.values(world.state.subscriptions).toReversed().slice(0, 50);
    const payers = new Set(
      Object.values(world.state.subscriptions).map((subscription) => subscription.customer),
    );
    const withoutSubscription = Object.values(world.state.customers)
      .filter((customer) => !payers.has(customer.id))
      .toReversed()
      .slice(0, 50);
    const deliveries = world.state.deliveries.toReversed().slice(0, 25);
    const daysAhead = Math.round(world.state.clock_offset / 86_400_000);
    return document({
      title: 'Sandbox',
      style: STYLE,
      body: html`<main class="home">
<header class="top"><div><h1>Sandbox</h1><p class="soft" style="margin:0">Stand-ins for card payments, email and the language model.</p></div><span class="mark">No real money, no real email</span></header>
<section class="card"><h2>Clock</h2>
<p><strong class="num">${new Date(now * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC</strong> <span class="soft">${daysAhead > 0 ? `${daysAhead} ${daysAhead === 1 ? 'day' : 'days'} ahead of today` : 'now'}</span></p>
<div class="clock">${STEPS.map((step) => html`<form method="post" action="/clock"><input type="hidden" name="advance" value="${step}"><button>+${step}</button></form>`)}</div>
<p class="soft small" style="margin:.75rem 0 0">Moves the payments clock only. Renewals, retries and expirations happen along the way.</p></section>
<section class="card"><h2>Mailbox</h2><p style="margin:0"><a href="/mailbox">${emails.list().length === 1 ? '1 email' : `${emails.list().length} emails`}</a></p></section>
<section class="card"><h2>Subscriptions</h2>${
        subscriptions.length === 0
          ? html`<p class="soft" style="margin:0">None yet. The first appears after a payment.</p>`
          : html`<div class="scroll" role="region" aria-label="Subscriptions" tabindex="0"><table><thead><tr><th>Customer</th><th>Plan</th><th>Status</th><th>Period ends</th></tr></thead><tbody>${subscriptions.map(
              (subscription) => {
                const item = subscription.items.data[0];
                const customer = world.state.customers[subscription.customer];
                return html`<tr><td>${customer?.email ?? subscription.customer}<br><span class="soft small">${subscription.id}</span></td>
<td>${world.state.products[item?.price.product ?? '']?.name ?? '—'}<br><span class="soft small num">${money(item?.price.unit_amount ?? 0, subscription.currency)}</span></td>
<td class="state">${subscription.status.replace('_', ' ')}${subscription.cancel_at_period_end ? html`<br><span class="soft small">will not renew</span>` : ''}</td>
<td class="num state">${day(item?.current_period_end ?? 0)}</td></tr>`;
              },
            )}</tbody></table></div>`
      }</section>
${
  withoutSubscription.length === 0
    ? ''
    : html`<section class="card"><h2>Customers without a subscription</h2><ul class="plain">${withoutSubscription.map((customer) => html`<li>${customer.email ?? 'no email'} <span class="soft small">${customer.id}</span></li>`)}</ul></section>`
}
<section class="card"><h2>Deliveries</h2>
<p class="soft small">To ${receivers(payments)}${webhooks.mode().mode === 'normal' ? '' : `, mode: ${webhooks.mode().mode}`}</p>${
        deliveries.length === 0
          ? html`<p class="soft" style="margin:0">No events sent yet.</p>`
          : html`<div class="scroll" role="region" aria-label="Deliveries" tabindex="0"><table><thead><tr><th>Event</th><th>State</th><th>Attempts</th><th><span class="away">Action</span></th></tr></thead><tbody>${deliveries.map(
              (
                delivery,
              ) => html`<tr><td>${world.state.events[delivery.event]?.type ?? '—'}<br><span class="soft small">${delivery.event}</span></td>
<td class="state ${delivery.state === 'delivered' ? 'ok' : delivery.state === 'failed' ? 'no' : ''}">${delivery.state}</td>
<td class="num">${delivery.attempts.length}${delivery.attempts.at(-1) ? html` <span class="soft small">${delivery.attempts.at(-1)?.status ?? delivery.attempts.at(-1)?.error}</span>` : ''}</td>
<td><form method="post" action="/replay"><input type="hidden" name="event" value="${delivery.event}"><button class="small">Send again</button></form></td></tr>`,
            )}</tbody></table></div>`
      }</section>
</main>`,
    });
  };
  return app;
}

/** The page for an unknown URL. */
export function notFoundPage(): string {
  return document({
    title: 'Not found',
    body: html`<main class="empty"><h2>Page not found</h2><p>The sandbox has no such page.</p><p><a class="button" href="/">Go to the sandbox</a></p></main>`,
  });
}
