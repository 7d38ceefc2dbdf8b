import { DAY } from './calendar.ts';
import type { Club } from './club.ts';
import type { VenueEvent } from './events.ts';
import type { Model } from './model.ts';

/** How long before it a new price is announced. */
const NOTICE = 30 * DAY;

/** What the venue does for all: a tier's terms, or moving its members to today's price. */
export function venueActs(event: VenueEvent, club: Club, models: Model[]): void {
  const terms = club[event.tier];
  if (!terms) return;
  if (event.do === 'tier') {
    const { rollover, ...change } = event.terms;
    const more = (change.pours ?? terms.pours) - terms.pours;
    Object.assign(terms, change);
    // A month that is not paid yet gets them with the rest.
    for (const { membership } of models.flatMap(({ people }) => people)) {
      if (!membership || membership.over || !membership.period.paid || membership.period.skipped) continue;
      if (membership.period.tier === event.tier) membership.period.own.glasses += more;
    }
    if (rollover !== undefined) terms.rollover.push({ since: models[0]?.now ?? 0, glasses: rollover });
    return;
  }
  for (const { membership } of models.flatMap(({ people }) => people)) {
    const plan = membership?.plan;
    if (!plan || membership.over || membership.tier !== event.tier || membership.price === terms.price)
      continue;
    if (plan.move || plan.open || plan.next || plan.cancels !== 'no') continue;
    plan.move = { tier: event.tier, price: terms.price, from: (models[0]?.now ?? 0) + NOTICE };
  }
}
