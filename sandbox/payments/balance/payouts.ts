import { blank } from '../http/blank.ts';
import { invalid, missing, StripeFault } from '../http/errors.ts';
import type { BalanceTransaction, Payout } from '../http/wire.ts';
import { changed, emit, newId, sandboxTime, timeOf, type World } from '../store/world.ts';
import { bookPayout, midnight } from './transactions.ts';

const DAY = 86_400;
/** From the creation of a payout to the bank's account. */
const ARRIVAL_DAYS = 2;

interface Step {
  at: number;
  run(): void;
}

/**
 * Makes the payouts that are due on the sandbox's clock, each at its own time: daily what is available, in transit a day
 * later, paid on arrival. Called when someone reads them, or on time if `payouts` says so.
 */
export function settlePayouts(world: World): void {
  const now = sandboxTime(world);
  const outer = world.moment;
  try {
    for (let step = nextStep(world); step && step.at <= now; step = nextStep(world)) {
      world.moment = step.at;
      step.run();
    }
  } finally {
    world.moment = outer;
  }
}

function nextStep(world: World): Step | null {
  let first: Step | null = null;
  for (const step of steps(world)) if (!first || step.at < first.at) first = step;
  return first;
}

function* steps(world: World): Generator<Step> {
  for (const payout of Object.values(world.state.payouts)) {
    if (payout.status === 'pending') yield { at: payout.created + DAY, run: () => send(world, payout) };
    if (payout.status === 'in_transit') yield { at: payout.arrival_date, run: () => arrive(world, payout) };
  }
  if (world.state.settings.payout_interval === 'manual') return;
  const { payout_day } = world.state;
  for (const { available_on } of unpaid(world))
    if (available_on > payout_day) yield { at: available_on, run: () => payOut(world, available_on) };
}

/** The transactions that no automatic payout contains. */
function unpaid(world: World): BalanceTransaction[] {
  return Object.values(world.state.balance_transactions).filter(({ id }) => !world.state.paid_out[id]);
}

/** Pays out all that is available on a day, by currency; what the account owes is taken from the bank. */
function payOut(world: World, day: number): void {
  world.state.payout_day = day;
  const pool = unpaid(world).filter(({ available_on }) => available_on <= day);
  for (const [currency, transactions] of Map.groupBy(pool, (it) => it.currency)) {
    const amount = transactions.reduce((sum, { net }) => sum + net, 0);
    if (amount === 0) continue;
    const payout = newPayout(world, { amount, currency, automatic: true });
    for (const { id } of transactions) world.state.paid_out[id] = payout.id;
    if (payout.balance_transaction) world.state.paid_out[payout.balance_transaction] = payout.id;
  }
}

export interface PayoutInput {
  amount: number;
  currency: string;
  automatic: boolean;
  description?: string;
  metadata?: Record<string, string>;
  statement_descriptor?: string;
}

function newPayout(world: World, { automatic, ...input }: PayoutInput): Payout {
  const created = timeOf(world);
  const payout: Payout = {
    ...blank('payout'),
    metadata: {},
    description: automatic ? 'STRIPE PAYOUT' : null,
    ...input,
    id: newId('po'),
    arrival_date: midnight(created, ARRIVAL_DAYS),
    automatic,
    created,
    destination: 'ba_cellar_door_sandbox',
    method: 'standard',
    reconciliation_status: automatic ? 'in_progress' : 'not_applicable',
    source_type: 'card',
    status: 'pending',
    type: 'bank_account',
  };
  payout.balance_transaction = bookPayout(world, payout);
  world.state.payouts[payout.id] = payout;
  emit(world, 'payout.created', payout);
  return payout;
}

/** Pays out by hand. Throws 400 if the amount is not available. */
export function payOutByHand(world: World, input: Omit<PayoutInput, 'automatic'>): Payout {
  if (input.amount < 1) throw invalid('Invalid positive integer', 'amount', 'parameter_invalid_integer');
  const now = sandboxTime(world);
  const balance = unpaid(world)
    .filter(({ available_on, currency }) => available_on <= now && currency === input.currency)
    .reduce((sum, { net }) => sum + net, 0);
  if (input.amount > balance)
    throw new StripeFault(400, {
      type: 'invalid_request_error',
      code: 'balance_insufficient',
      message: 'You have insufficient funds in your Stripe account for this transfer.',
    });
  return newPayout(world, { ...input, automatic: false });
}

function send(world: World, payout: Payout): void {
  changed(world, 'payout.updated', payout, () => {
    payout.status = 'in_transit';
    if (payout.automatic) payout.reconciliation_status = 'completed';
  });
  if (payout.automatic) emit(world, 'payout.reconciliation_completed', payout);
}

function arrive(world: World, payout: Payout): void {
  changed(world, 'payout.updated', payout, () => {
    payout.status = 'paid';
  });
  emit(world, 'payout.paid', payout);
}

/** Fails a payout, the newest by default: the bank returns the money, which the next payout contains. */
export function failPayout(world: World, id?: string): Payout {
  settlePayouts(world);
  const payout = id ? world.state.payouts[id] : Object.values(world.state.payouts).at(-1);
  if (!payout) throw missing('payout', id ?? 'any', 'payout', 400);
  if (payout.status === 'failed') throw invalid('The payout is failed.', 'payout');
  changed(world, 'payout.updated', payout, () => {
    payout.status = 'failed';
    payout.failure_code = 'account_closed';
    payout.failure_message = 'The bank account has been closed.';
    payout.failure_balance_transaction = bookPayout(world, payout, true);
  });
  emit(world, 'payout.failed', payout);
  return payout;
}
