import { DAY } from './calendar.ts';
import type { Acts } from './events.ts';
import type { Model } from './model.ts';
import {
  available,
  type Guest,
  give,
  hold,
  leftForLatePour,
  type Period,
  spend,
  spendLate,
} from './period.ts';
import { isMember, type Person } from './person.ts';

/** Records a pour. */
function recordPour(model: Model, drinker: Person, period: Period, glasses: number, guest?: Guest): void {
  const pour = { at: model.now, glasses, voidedAt: null, period };
  spend(period, pour, guest);
  period.pours.push(pour);
  drinker.poured.push(pour);
}

/** The oldest guest glass that this person holds. */
function heldBy(model: Model, person: Person): Guest | undefined {
  const holder = model.holder(person);
  return holder.membership?.period.guests.find(
    ({ giver, state }) => giver === person.who && state === 'held',
  );
}

/** Whether a person could pour from the holder's period at an earlier instant. */
const mayShareThen = (
  model: Model,
  { person, holder }: { person: Person; holder: Person },
  { tier }: Period,
  at: number,
): boolean => person === holder || (holder.sharesSince <= at && model.terms(tier).people > 1);

/** Pouring, giving and promising glasses, and sharing. */
export const glassActs = {
  pour: (model, { who, glasses }) => {
    const person = model.person(who);
    const holder = model.holder(person);
    const period = holder.membership?.period;
    if (!period || !model.hasAccess(holder) || glasses > available(period)) return false;
    recordPour(model, person, period, glasses);
    return true;
  },
  'pour late': (model, { who, glasses, minutes }) => {
    const person = model.person(who);
    const holder = model.holder(person);
    const at = model.now - minutes * 60;
    const period = model.hasAccess(holder) ? holder.membership?.period : undefined;
    const past = holder.past.findLast(
      (it) =>
        it.period.start <= at && at < it.until && mayShareThen(model, { person, holder }, it.period, at),
    )?.period;
    const isRunning = period !== undefined && period.start <= at;
    if (past && !isRunning && glasses <= leftForLatePour(past)) {
      const pour = { at, glasses, voidedAt: null, period: past };
      spendLate(past, pour);
      past.pours.push(pour);
      person.poured.push(pour);
      return true;
    }
    if (!period || glasses > available(period)) return false;
    recordPour(model, person, period, glasses);
    return true;
  },
  void: (model, { who, back }) => {
    const { poured } = model.person(who);
    const pour = poured.at(-1 - back);
    if (!pour) return false;
    pour.voidedAt ??= model.now;
    return true;
  },
  give: (model, { who, glasses, onTheHouse }) => {
    const holder = model.holder(model.person(who));
    const period = holder.membership?.period;
    if (!period || !model.hasAccess(holder)) return false;
    if (glasses < 0 && -glasses > available(period)) return false;
    give(period, glasses, onTheHouse);
    return true;
  },
  share: (model, { who }) => {
    const holder = model.person(who);
    const partner = model.other(holder);
    const { membership } = holder;
    if (!membership || !model.hasAccess(holder) || holder.shares) return false;
    if (model.terms(membership.tier).people < 2) return false;
    if (isMember(partner) || partner.shares) return false;
    holder.shares = true;
    holder.sharesSince = model.now;
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
    if (given >= model.terms(membership.tier).guests || available(period) < 1) return false;
    hold(period, who, Math.min(model.now + 7 * DAY, period.end, membership.endsAt ?? period.end));
    return true;
  },
  'pour for guest': (model, { who }) => {
    const person = model.person(who);
    const guest = heldBy(model, person);
    const holder = model.holder(person);
    const period = holder.membership?.period;
    if (!guest || !period || !model.hasAccess(holder)) return false;
    guest.state = 'poured';
    recordPour(model, person, period, 1, guest);
    return true;
  },
  'withdraw from guest': (model, { who }) => {
    const guest = heldBy(model, model.person(who));
    if (!guest) return false;
    guest.state = 'back';
    return true;
  },
} satisfies Partial<Acts<Model>>;
