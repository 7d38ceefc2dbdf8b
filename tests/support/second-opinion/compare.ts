import { type Accounts, accountsOf } from './accounts.ts';
import type { Cast } from './cast.ts';
import type { Who } from './events.ts';
import type { Shown } from './model.ts';

interface Pours {
  access: boolean;
  available_pours: number;
  pours_used: number;
  period_pours: number;
  pours_when_paid: number;
  carried_pours: number;
  rolled_pours: number;
  rolled_left: number;
  resets_at: number;
  grants: { kind: string; pours: number; until: string }[];
}

interface Details {
  current_period_end: number;
  cancel_at_period_end: boolean;
  amount: number;
  next_charge: { at: number; amount: number } | null;
  pending_tier: { from: number; amount: number } | null;
  price_move: { from: number; amount: number } | null;
  pause: { until: number | null } | null;
  status: string;
  grace_until: number | null;
  ends_at: number | null;
  ended_on: string | null;
}

interface Bar {
  standing: string;
  dues: { paid_until: string } | null;
}

/** The differences between the product and the model, a line each. */
export async function differences(cast: Cast, who: Who, shown: Shown, whole: boolean): Promise<string[]> {
  const player = cast.known(who);
  if (!player?.customer) return [];
  const { staff } = cast.product;
  const { customer, caller } = player;
  const pours = await staff.must<Pours>('POST', '/api/functions/get-available-pours', {
    customer_id: customer,
  });
  const lines = compare('glasses', glassesOf(pours), {
    ...shown.period,
    access: shown.access,
    available: shown.available,
  });
  lines.push(...compare('left', leftByKind(pours), { ...NO_KINDS, ...shown.grants }));
  if (!whole) return lines;
  const bar = await staff.must<Bar>('GET', `/api/customers/${customer}/bar`);
  const { standing, paidUntil } = shown;
  const ofBar = { standing: bar.standing, paidUntil: bar.dues?.paid_until ?? null };
  lines.push(...compare('member', ofBar, { standing, paidUntil }));
  const charges = await cast.product.charges(caller.id);
  const kept = charges.reduce((sum, { amount, amount_refunded }) => sum + amount - amount_refunded, 0);
  const payments = await staff.must<{ amount: number; amount_refunded: number }[]>(
    'GET',
    `/api/customers/${customer}/payments`,
  );
  const booked = payments.reduce((sum, { amount, amount_refunded }) => sum + amount - amount_refunded, 0);
  lines.push(...compare('money', { stripe: kept, booked }, { stripe: shown.paid, booked: shown.paid }));
  const accounts = await accountsOf(cast.product, player);
  lines.push(...compare('money', listed(accounts), listed({ ...shown, unaccounted: [] })));
  const { subscription } = await caller.must<{ subscription: Details | null }>(
    'POST',
    '/api/functions/get-subscription-details',
    {},
  );
  lines.push(...compare('next charge', nextOf(subscription), shown.next ?? NOTHING));
  return lines;
}

/** Lists as text, in one order. */
const listed = ({ payments, notices, unaccounted }: Accounts) => ({
  payments: payments.toSorted().join('; '),
  notices: notices.toSorted().join('; '),
  unaccounted: unaccounted.join('; '),
});

const NO_KINDS = { rollover: 0, correction: 0, given: 0, advance: 0, period: 0 };

/** The glasses left by kind. Must add up to the available ones, and end with the period. */
function leftByKind({ access, available_pours, grants, resets_at }: Pours): Record<string, number> {
  const kinds: Record<string, number> = { ...NO_KINDS };
  for (const { kind, pours } of grants) kinds[kind] = (kinds[kind] ?? Number.NaN) + pours;
  const sum = grants.reduce((all, { pours }) => all + pours, 0);
  const odd = grants.filter(
    ({ pours, until }) => pours < 1 || new Date(until).getTime() / 1000 !== resets_at,
  );
  if (sum !== available_pours || (access && odd.length > 0)) kinds.wrong = 1;
  return kinds;
}

const NOTHING = { at: null, amount: null };

function glassesOf(pours: Pours) {
  const { access, available_pours: available } = pours;
  if (!access) return { access, available };
  return {
    access,
    available,
    used: pours.pours_used,
    total: pours.period_pours,
    rolled: pours.rolled_pours,
    rolledLeft: pours.rolled_left,
    carried: pours.carried_pours,
    whenPaid: pours.pours_when_paid,
    end: pours.resets_at,
  };
}

/** The next regular charge, or the last one, as the account page announces it. */
function nextOf(details: Details | null) {
  if (
    !details ||
    details.ended_on ||
    details.grace_until ||
    !['active', 'trialing'].includes(details.status)
  ) {
    return NOTHING;
  }
  const { pause, pending_tier, price_move, current_period_end } = details;
  if (details.cancel_at_period_end) {
    const { at, amount } = details.next_charge ?? NOTHING;
    return { at, amount };
  }
  const at = pause ? pause.until : current_period_end;
  if (details.ends_at && (at === null || details.ends_at <= at)) return NOTHING;
  const moved = price_move && at !== null && at >= price_move.from ? price_move : null;
  return { at, amount: (pending_tier ?? moved ?? details).amount };
}

function compare(about: string, product: object, model: object): string[] {
  const [is, should] = [Object.entries(product), new Map(Object.entries(model))];
  return is
    .filter(([name, value]) => should.get(name) !== value)
    .map(([name, value]) => `${about}: ${name} is ${value}, by the model ${should.get(name)}`);
}
