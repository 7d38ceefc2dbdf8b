import { document, type Html, html } from '../../look.ts';
import type { CheckoutSession } from '../http/wire.ts';
import { offeredWallets, WALLETS } from '../resources/cards.ts';
import {
  type CheckoutEntry,
  type CheckoutProblems,
  fixedEmail,
  successUrl,
} from '../resources/checkout-payment.ts';
import { lineItemsOf } from '../resources/checkout-sessions.ts';
import { day, every, money } from '../resources/money.ts';
import { timeOf, type World } from '../store/world.ts';
import { CARD_SCRIPT, CARD_STYLE, cardFields, field, problemBanner, testCards } from './card-form.ts';

const STYLE = `
.checkout{display:grid;min-height:100vh;grid-template-rows:auto 1fr}
.order,.pay{padding:1.25rem}
.order{background:linear-gradient(180deg,#571727,#3f101c);color:#f8ede0}
.order a{color:inherit}
.order .soft,.order .mark{color:#e3cdbd}
.order .mark{border-color:#8d5a62}
.order>div,.pay>div{max-width:29rem;margin:0 auto}
.back{display:inline-flex;align-items:center;gap:.5rem;min-height:44px;text-decoration:none}
.back:hover span{text-decoration:underline}
.top{display:flex;justify-content:space-between;align-items:center;gap:.5rem;flex-wrap:wrap;margin-bottom:.75rem}
.amount{display:flex;align-items:baseline;gap:.6rem;flex-wrap:wrap;margin:.1rem 0 1rem}
.amount strong{font-size:2.5rem;font-weight:500;line-height:1.1}
.order h1{font:inherit;margin:0}
.lines{border-top:1px solid #7d4450;margin:0;padding:0;list-style:none}
.lines li{display:flex;justify-content:space-between;gap:1rem;padding:.7rem 0;border-bottom:1px solid #7d4450}
.lines li.sum{border-bottom:0;font-weight:600}
.fine{text-wrap:balance;font-size:.875rem;color:var(--soft);margin:1rem 0 0;text-align:center}
.narrow{max-width:30rem;margin:12vh auto 0;padding:0 1.25rem}
.bank{display:grid;gap:.75rem}
.wallets{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem;margin:1rem 0 0}
@media (min-width:880px){
 .checkout{grid-template:none;grid-template-columns:1fr 1fr}
 .order,.pay{padding:3.5rem 3rem}
 .order>div{margin:0 0 0 auto}.pay>div{margin:0}
 .amount{margin-bottom:2rem}
}
@media (max-width:359px){.order,.pay{padding:1rem}}
`;

const MARK = html`<span class="mark">Sandbox: no real money</span>`;

/** The payment page of an open session. `entry` and `problems` are those of a failed submission. */
export function checkoutPage(
  world: World,
  session: CheckoutSession,
  entry: Partial<CheckoutEntry> = {},
  problems: CheckoutProblems = {},
): string {
  const fixedAddress = fixedEmail(world, session);
  const currency = session.currency ?? 'usd';
  const items = lineItemsOf(world, session.id).data;
  const isOnce = session.mode === 'payment';
  const interval = items[0]?.price?.recurring ?? { interval: 'month', interval_count: 1 };
  const shop = world.state.settings.account_name;
  const regular = items.reduce((sum, item) => sum + item.amount_total, 0);
  const tax = items.reduce((sum, item) => sum + item.amount_tax, 0);
  const rhythm = every(interval);
  const trialEnd = world.state.carts[session.id]?.trial_end ?? null;
  const daysFree = trialEnd === null ? 0 : Math.floor((trialEnd - timeOf(world)) / 86_400);
  const wallets = offeredWallets(world.state.settings.payment_methods, session);
  const body = html`<main class="checkout">
<section class="order" aria-label="Order summary"><div>
  <div class="top">
    ${session.cancel_url ? html`<a class="back" href="${session.cancel_url}"><span aria-hidden="true">←</span> <span>Back to ${shop}</span></a>` : html`<strong class="serif">${shop}</strong>`}
    ${MARK}
  </div>
  <h1 class="what soft">${isOnce ? 'Pay for' : trialEnd === null ? 'Subscribe to' : 'Try'} ${items[0]?.description ?? 'a membership'}</h1>
  ${trialEnd === null ? html`<p class="amount"><strong class="serif num">${money(regular, currency)}</strong>${isOnce ? '' : html` <span class="soft">per ${rhythm}</span>`}</p>` : html`<p class="amount"><strong class="serif num">${daysFree} days free</strong> <span class="soft">then ${money(regular, currency)} per ${rhythm}</span></p>`}
  <ul class="lines">
    ${items.map((item) => html`<li><span>${item.description ?? 'Membership'}${(item.quantity ?? 1) > 1 ? ` × ${item.quantity}` : ''}${isOnce ? '' : html`<br><span class="soft small">Billed every ${rhythm}</span>`}</span><span class="num">${money(item.amount_subtotal, currency)}</span></li>`)}
    ${tax > 0 ? html`<li><span>Tax${regular > items.reduce((sum, item) => sum + item.amount_subtotal, 0) ? '' : ', included'}</span><span class="num">${money(tax, currency)}</span></li>` : ''}
    <li class="sum"><span>Total due today</span><span class="num">${money(trialEnd === null ? regular : 0, currency)}</span></li>
  </ul>
</div></section>
<section class="pay" aria-label="Payment"><div>
  <h2>Pay with card</h2>
  ${problemBanner(problems)}
  <form method="post" action="/c/pay/${session.id}" novalidate>
    ${field({
      id: 'email',
      label: 'Email',
      type: 'email',
      value: fixedAddress ?? entry.email ?? '',
      problem: problems.email,
      autocomplete: 'email',
      inputmode: 'email',
      maxlength: 254,
      readonly: fixedAddress !== null,
    })}
    ${cardFields(problems, entry)}
    <button class="primary wide" type="submit" data-busy="Paying…">${isOnce ? 'Pay' : trialEnd === null ? 'Subscribe' : 'Start trial'}</button>
    ${wallets.length > 0 ? html`<p class="wallets"><span class="soft">Or with</span> ${wallets.map((name) => html`<button name="wallet" value="${name}">${WALLETS[name]}</button>`)}</p>` : ''}
  </form>
  ${session.custom_text.submit ? html`<p class="fine">${session.custom_text.submit.message}</p>` : ''}
  <p class="fine">${trialEnd === null ? `${money(regular, currency)} today, ${isOnce ? 'once' : `then the same every ${rhythm} until you cancel`}` : `Nothing today, then ${money(regular, currency)} every ${rhythm} from ${day(trialEnd)} until you cancel`}.</p>
  ${testCards()}
</div></section>
</main>`;
  return document({
    title: `Pay · ${shop}`,
    body,
    style: CARD_STYLE + STYLE,
    script: CARD_SCRIPT,
  });
}

export function closedPage(world: World, session: CheckoutSession | null): string {
  const shop = world.state.settings.account_name;
  const isPaid = session?.status === 'complete';
  const link = isPaid && session ? successUrl(session) : session?.cancel_url;
  const title = isPaid ? 'Payment complete' : session ? 'This page has expired' : 'Page not found';
  const text = isPaid
    ? 'Your payment went through. You can close this page.'
    : session
      ? `It expired on ${day(session.expires_at)} or was closed by ${shop}. You were not charged. Go back to ${shop} to start again.`
      : 'This URL does not belong to a payment. Check your link.';
  return message(
    title,
    html`<p>${text}</p>${link ? html`<p><a class="button primary" href="${link}">${isPaid ? 'Continue' : `Back to ${shop}`}</a></p>` : ''}`,
  );
}

/** The bank's 3-D Secure page, which some cards require. */
export function authenticatePage(
  world: World,
  options: { action: string; token: string; amount: string | null },
): string {
  const shop = world.state.settings.account_name;
  return message(
    '3-D Secure',
    html`<p>The bank of this test card asks you to confirm ${options.amount ? html`your payment of <strong class="num">${options.amount}</strong> to ${shop}` : html`that ${shop} may save it`}.</p>
<form class="bank" method="post" action="${options.action}">
  <input type="hidden" name="token" value="${options.token}">
  <button class="primary wide" name="answer" value="complete">Complete authentication</button>
  <button class="wide" name="answer" value="fail">Fail authentication</button>
</form>`,
  );
}

function message(title: string, content: Html): string {
  return document({
    title,
    style: STYLE,
    body: html`<main class="narrow"><p>${MARK}</p><div class="card"><h1>${title}</h1>${content}</div></main>`,
  });
}

export function dueToday(session: CheckoutSession): string {
  return money(session.amount_total ?? 0, session.currency ?? 'usd');
}
