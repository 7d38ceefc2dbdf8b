import { Hono } from 'hono';
import { document, html } from '../../look.ts';
import type { Invoice } from '../http/wire.ts';
import { subscriptionOf } from '../invoices/invoices.ts';
import { cardFor, collect } from '../resources/charging.ts';
import { day, money } from '../resources/money.ts';
import type { World } from '../store/world.ts';
import { authenticatePage, closedPage } from './checkout-page.ts';
import { readForm, redirect } from './checkout-page-routes.ts';

const STYLE = `
.invoice{max-width:38rem;margin:0 auto;padding:1.5rem 1.25rem 4rem;display:grid;gap:1.25rem}
.top{display:flex;justify-content:space-between;gap:1rem;align-items:center}
td:last-child,th:last-child{text-align:right;white-space:nowrap}
tfoot td{font-weight:600;border:0}
@media print{button,.mark{display:none}}
`;

/** The hosted page of an invoice, where an open invoice can be paid. */
export function invoicePages(world: World, save: () => void): Hono {
  const app = new Hono();
  const find = (id: string) => world.state.invoices[id];

  app.get('/i/:id', (c) => {
    const invoice = find(c.req.param('id'));
    return invoice ? c.html(invoicePage(world, invoice)) : c.html(closedPage(world, null), 404);
  });
  app.post('/i/:id', (c) => {
    const invoice = find(c.req.param('id'));
    if (!invoice) return c.html(closedPage(world, null), 404);
    if (invoice.status !== 'open') return redirect(`/i/${invoice.id}`);
    const outcome = collect(world, invoice, { byHand: true });
    save();
    if (outcome.paid) return redirect(`/i/${invoice.id}`);
    if (outcome.reason === 'authentication') return redirect(`/i/${invoice.id}/authenticate`);
    const problem =
      outcome.reason === 'declined' ? outcome.decline.message : 'There is no payment method to charge.';
    return c.html(invoicePage(world, invoice, problem), 402);
  });
  app.get('/i/:id/authenticate', (c) => {
    const invoice = find(c.req.param('id'));
    if (invoice?.status !== 'open') return redirect(`/i/${c.req.param('id')}`);
    return c.html(
      authenticatePage(world, {
        action: `/i/${invoice.id}/authenticate`,
        token: '',
        amount: money(invoice.amount_remaining, invoice.currency),
      }),
    );
  });
  app.post('/i/:id/authenticate', async (c) => {
    const form = await readForm(c.req.raw);
    const invoice = find(c.req.param('id'));
    if (invoice?.status !== 'open') return redirect(`/i/${c.req.param('id')}`);
    if (form('answer') !== 'complete')
      return c.html(
        invoicePage(world, invoice, 'Your bank did not confirm the payment. You were not charged.'),
        402,
      );
    collect(world, invoice, { authenticated: true, byHand: true });
    save();
    return redirect(`/i/${invoice.id}`);
  });
  return app;
}

function invoicePage(world: World, invoice: Invoice, problem?: string): string {
  const shop = world.state.settings.account_name;
  const card = cardFor(world, subscriptionOf(world, invoice), invoice.customer)?.card;
  const due = money(invoice.amount_remaining, invoice.currency);
  const status =
    invoice.status === 'paid'
      ? `Paid on ${day(invoice.status_transitions.paid_at ?? invoice.created)}`
      : invoice.status === 'open'
        ? `${due} due`
        : String(invoice.status);
  return document({
    title: `Invoice ${invoice.number ?? ''} · ${shop}`,
    style: STYLE,
    body: html`<main class="invoice">
<div class="top"><strong class="serif">${shop}</strong><span class="mark">Sandbox: no real money</span></div>
<section class="card"><h1>Invoice ${invoice.number ?? ''}</h1>
<p class="soft">${day(invoice.created)} · ${invoice.customer_email ?? ''}</p>
<p><strong>${status}</strong></p>
${problem ? html`<p class="banner" role="alert">${problem}</p>` : ''}
<table><thead><tr><th>Description</th><th>Amount</th></tr></thead>
<tbody>${invoice.lines.data.map((line) => html`<tr><td>${line.description ?? ''}<br><span class="soft small">${day(line.period.start)} to ${day(line.period.end)}</span></td><td class="num">${money(line.amount, line.currency)}</td></tr>`)}</tbody>
<tfoot>${(invoice.total_taxes ?? []).map((tax) => html`<tr><td>Tax${tax.tax_behavior === 'inclusive' ? ', included' : ''}</td><td class="num">${money(tax.amount, invoice.currency)}</td></tr>`)}${invoice.starting_balance !== 0 ? html`<tr><td>Applied credit</td><td class="num">${money(invoice.amount_due - invoice.total, invoice.currency)}</td></tr>` : ''}<tr><td>Total</td><td class="num">${money(invoice.amount_due, invoice.currency)}</td></tr></tfoot></table>
${invoice.status === 'open' ? html`<form method="post" action="/i/${invoice.id}" style="margin-top:1rem"><button class="primary wide">Pay ${due}${card ? ` with card ending in ${card.last4}` : ''}</button></form>` : ''}
</section></main>`,
  });
}
