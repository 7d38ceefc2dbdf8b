import { DAY } from './calendar.ts';
import type { Acts } from './events.ts';
import type { Model } from './model.ts';
import type { Guest } from './period.ts';
import { isMember, type Person } from './person.ts';

/** Records glasses that were poured. The first pour of a period settles what rolled over into it. */
function recordPour(model: Model, drinker: Person, holder: Person, glasses: number): void {
  const period = holder.membership?.period;
  if (!period) return;
  const rolled = model.glasses.rolled(period);
  // The fault 'raise': where nothing rolled over, the product stores nothing, and a tier raised later still changes that.
  if (rolled > 0 || !model.glasses.faults.has('raise')) period.settled ??= rolled;
  const pour = { at: model.now, glasses, voided: false, period };
  period.pours.push(pour);
  holder.pool.push(pour);
  drinker.poured.push(pour);
}

/** The oldest glass that this person holds for a guest. */
function heldBy(model: Model, person: Person): Guest | undefined {
  const holder = model.holder(person);
  return holder.membership?.period.guests.find(
    ({ giver, state }) => giver === person.who && state === 'held',
  );
}

/** Glasses poured, given and promised, and who shares them. */
export const glassActs = {
  pour: (model, { who, glasses }) => {
    const person = model.person(who);
    const holder = model.holder(person);
    const period = holder.membership?.period;
    if (!period || !model.hasAccess(holder) || glasses > model.glasses.available(period)) return false;
    recordPour(model, person, holder, glasses);
    return true;
  },
  void: (model, { who, back }) => {
    const { poured } = model.person(who);
    const pour = poured.at(-1 - back);
    if (!pour) return false;
    pour.voided = true;
    return true;
  },
  give: (model, { who, glasses }) => {
    const holder = model.holder(model.person(who));
    const period = holder.membership?.period;
    if (!period || !model.hasAccess(holder)) return false;
    if (glasses < 0 && -glasses > model.glasses.available(period)) return false;
    period.given += glasses;
    holder.gifts.push({ at: model.now, glasses });
    return true;
  },
  share: (model, { who }) => {
    const holder = model.person(who);
    const partner = model.other(holder);
    const { membership } = holder;
    if (!membership || !model.hasAccess(holder) || holder.shares) return false;
    if (model.glasses.terms(membership.tier).people < 2) return false;
    if (isMember(partner) || partner.shares) return false;
    holder.shares = true;
    partner.isCustomer = true;
    return true;
  },
  unshare: (model, { who }) => {
    const person = model.person(who);
    const holder = person.shares ? person : model.other(person);
    if (!holder.shares) return false;
    model.unshare(holder);
    return true;
  },
  'give to guest': (model, { who }) => {
    const person = model.person(who);
    const holder = model.holder(person);
    const { membership } = holder;
    if (!membership || !model.hasAccess(holder)) return false;
    const { period } = membership;
    const given = period.guests.filter(({ state }) => state !== 'back').length;
    if (given >= model.glasses.terms(membership.tier).guests || model.glasses.available(period) < 1)
      return false;
    period.guests.push({
      giver: who,
      until: Math.min(model.now + 7 * DAY, period.end, membership.endsAt ?? period.end),
      state: 'held',
    });
    return true;
  },
  'pour for guest': (model, { who }) => {
    const person = model.person(who);
    const guest = heldBy(model, person);
    const holder = model.holder(person);
    if (!guest || !model.hasAccess(holder)) return false;
    guest.state = 'poured';
    recordPour(model, person, holder, 1);
    return true;
  },
  'withdraw from guest': (model, { who }) => {
    const guest = heldBy(model, model.person(who));
    if (!guest) return false;
    guest.state = 'back';
    return true;
  },
} satisfies Partial<Acts<Model>>;
