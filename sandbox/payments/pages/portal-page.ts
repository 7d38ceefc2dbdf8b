import { document, html } from '../../look.ts';
import type { PortalSession } from '../http/wire.ts';
import type { CardEntry } from '../resources/cards.ts';
import type { World } from '../store/world.ts';
import { CARD_SCRIPT, CARD_STYLE, cardFields, type Problems, problemBanner, testCards } from './card-form.ts';

const STYLE = `
.portal{max-width:40rem;margin:0 auto;padding:1.5rem 1.25rem 4rem;display:grid;gap:1.25rem}
.top{display:flex;justify-content:space-between;gap:1rem;align-items:center;flex-wrap:wrap}
`;

export function cardPage(
  world: World,
  session: PortalSession,
  entry: Partial<CardEntry> = {},
  problems: Problems = {},
): string {
  const shop = world.state.settings.account_name;
  return document({
    title: `Update card · ${shop}`,
    style: CARD_STYLE + STYLE,
    script: CARD_SCRIPT,
    body: html`<main class="portal">
<div class="top">${session.return_url ? html`<a href="${session.return_url}">← Back to ${shop}</a>` : html`<strong class="serif">${shop}</strong>`}<span class="mark">Sandbox: no real money</span></div>
<section class="card"><h1>Update card</h1><p class="soft">We will use the new card for your next payment.</p>
${problemBanner(problems)}
<form method="post" action="/p/session/${session.id}/card" novalidate>${cardFields(problems, entry)}
<button class="primary wide" data-busy="Saving…">Save card</button></form>
${testCards()}</section>
</main>`,
  });
}
