import { document, html } from '../../look.ts';
import type { PortalSession, Subscription } from '../http/wire.ts';
import type { CardEntry } from '../resources/cards.ts';
import { cardFor } from '../resources/charging.ts';
import { day, every, money } from '../resources/money.ts';
import type { World } from '../store/world.ts';
import { CARD_SCRIPT, CARD_STYLE, cardFields, type Problems, problemBanner, testCards } from './card-form.ts';

const STYLE = `
.portal{max-width:40rem;margin:0 auto;padding:1.5rem 1.25rem 4rem;display:grid;gap:1.25rem}
.top{display:flex;justify-content:space-between;gap:1rem;align-items:center;flex-wrap:wrap}
.row{display:flex;justify-content:space-between;gap:1rem;align-items:center;flex-wrap:wrap}
.row form,.row p{margin:0}
.actions{display:flex;gap:.75rem;flex-wrap:wrap;margin-top:1rem}
.actions form{margin:0}
`;

function frame(
  world: World,
  session: PortalSession,
  title: string,
  content: ReturnType<typeof html>,
  script = '',
): string {
  const shop = world.state.settings.account_name;
  return document({
    title: `${title} · ${shop}`,
    style: CARD_STYLE + STYLE,
    script,
    body: html`<main class="portal">
<div class="top">${session.return_url ? html`<a href="${session.return_url}">← Back to ${shop}</a>` : html`<strong class="serif">${shop}</strong>`}<span class="mark">Sandbox: no real money</span></div>
${content}
</main>`,
  });
}

/** The portal's home page: a customer's membership, payment method and invoices. */
export function portalHome(world: World, session: PortalSession): string {
  const base = `/p/session/${session.id}`;
  const customer = world.state.customers[session.customer];
  const running = Object.values(world.state.subscriptions).filter(
    (entry) => entry.customer === session.customer && entry.ended_at === null,
  );
  const card = cardFor(world, running.at(-1) ?? null, session.customer)?.card;
  const invoices = Object.values(world.state.invoices)
    .filter((invoice) => invoice.customer === session.customer && invoice.status !== 'draft')
    .toReversed()
    .slice(0, 24);
  return frame(
    world,
    session,
    'Billing',
    html`<div><h1>Billing</h1><p class="soft">${customer?.email ?? ''}</p></div>
${running.map(
  (subscription) => html`<section class="card"><h2>Current membership</h2>${membership(world, subscription)}
<div class="actions">${
    subscription.cancel_at_period_end
      ? html`<form method="post" action="${base}/resume"><input type="hidden" name="subscription" value="${subscription.id}"><button class="primary">Keep membership</button></form>`
      : html`<a class="button" href="${base}/cancel?subscription=${subscription.id}">Cancel membership</a>`
  }</div></section>`,
)}
<section class="card"><h2>Payment method</h2><div class="row"><p>${card ? html`<span style="text-transform:capitalize">${card.brand}</span> ending in <span class="num">${card.last4}</span> <span class="soft">expires <span class="num">${String(card.exp_month).padStart(2, '0')}/${card.exp_year}</span></span>` : 'No card saved.'}</p><a class="button" href="${base}/card">Update card</a></div></section>
<section class="card"><h2>Invoices</h2>${
      invoices.length === 0
        ? html`<p class="soft">No invoices yet.</p>`
        : html`<table><thead><tr><th>Date</th><th>Amount</th><th>Status</th></tr></thead><tbody>${invoices.map(
            (invoice) =>
              html`<tr><td><a href="/i/${invoice.id}">${day(invoice.created)}</a></td><td class="num">${money(invoice.amount_due, invoice.currency)}</td><td>${invoice.status}</td></tr>`,
          )}</tbody></table>`
    }</section>`,
  );
}

function membership(world: World, subscription: Subscription) {
  const item = subscription.items.data[0];
  const name = world.state.products[item?.price.product ?? '']?.name ?? 'Membership';
  const end = day(item?.current_period_end ?? 0);
  return html`<p><strong>${name}</strong>, <span class="num">${money(item?.price.unit_amount ?? 0, subscription.currency)}</span> per ${every(item?.price.recurring ?? { interval: 'month', interval_count: 1 })}</p>
<p class="soft">${subscription.cancel_at_period_end ? `Ends on ${end}. You will not be charged again.` : subscription.status === 'past_due' ? 'Your last payment failed. Update your card or pay the open invoice below.' : `Renews on ${end}.`}</p>`;
}

export function cardPage(
  world: World,
  session: PortalSession,
  entry: Partial<CardEntry> = {},
  problems: Problems = {},
): string {
  return frame(
    world,
    session,
    'Update card',
    html`<section class="card"><h1>Update card</h1><p class="soft">We will use the new card for your next payment.</p>
${problemBanner(problems)}
<form method="post" action="/p/session/${session.id}/card" novalidate>${cardFields(problems, entry)}
<button class="primary wide" data-busy="Saving…">Save card</button></form>
${session.flow ? '' : html`<p style="margin:1rem 0 0"><a href="/p/session/${session.id}">Go back</a></p>`}
${testCards()}</section>`,
    CARD_SCRIPT,
  );
}

/** The page that asks to confirm a cancellation. */
export function cancelPage(world: World, session: PortalSession, subscription: Subscription): string {
  const end = day(subscription.items.data[0]?.current_period_end ?? 0);
  return frame(
    world,
    session,
    'Cancel membership',
    html`<section class="card"><h1>Cancel membership?</h1><p>It stays active until <strong>${end}</strong>, and you will not be charged again. You can change your mind until then.</p>
<div class="actions"><form method="post" action="/p/session/${session.id}/cancel"><input type="hidden" name="subscription" value="${subscription.id}"><button class="primary">Cancel membership</button></form>
<a class="button" href="${session.flow ? (session.return_url ?? '/') : `/p/session/${session.id}`}">Keep membership</a></div></section>`,
  );
}
