import { DAY } from './calendar.ts';
import type { Club } from './club.ts';
import type { VenueEvent } from './events.ts';
import { isEnding } from './membership.ts';
import type { Model } from './model.ts';

/** The notice before a new price, in seconds. */
const NOTICE = 30 * DAY;

/** Acts of the venue for all members: changing a tier's terms, or moving its members to the current price. */
export function venueActs(event: VenueEvent, club: Club, models: Model[]): void {
  const terms = club[event.tier];
  if (!terms) return;
  if (event.do === 'tier') {
    const { rollover, ...change } = event.terms;
    const more = (change.pours ?? terms.pours) - terms.pours;
    Object.assign(terms, change);
    // An unpaid month gets the additional glasses with its remaining ones.
    for (const { membership } of models.flatMap(({ people }) => people)) {
      if (!membership || membership.over || !membership.period.paid || membership.period.skipped) continue;
      if (membership.period.tier !== event.tier) continue;
      membership.period.own.glasses += more;
      membership.period.granted += more;
    }
    if (rollover !== undefined) terms.rollover.push({ since: models[0]?.now ?? 0, glasses: rollover });
    return;
  }
  for (const { membership } of models.flatMap(({ people }) => people)) {
    const plan = membership?.plan;
    if (!plan || membership.over || membership.tier !== event.tier || membership.price === terms.price)
      continue;
    if (plan.move || plan.open || plan.next || plan.isTrial || isEnding(plan)) continue;
    plan.move = { tier: event.tier, price: terms.price, from: (models[0]?.now ?? 0) + NOTICE };
  }
}
