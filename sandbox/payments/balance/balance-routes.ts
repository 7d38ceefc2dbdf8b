import { invalid, missing } from '../http/errors.ts';
import * as p from '../http/params.ts';
import { type Route, route } from '../http/routes.ts';
import { page } from '../http/wire.ts';
import { finder, type World } from '../store/world.ts';
import { payOutByHand, settlePayouts } from './payouts.ts';
import { currentTransaction } from './transactions.ts';

const findPayout = finder('payout', (state) => state.payouts);

/** The transactions of an automatic payout; all of them without one. */
function transactionsOf(world: World, payout: string | undefined): string[] {
  if (payout === undefined) return Object.keys(world.state.balance_transactions);
  if (!findPayout(world, payout, 'payout').automatic)
    throw invalid(
      'Balance transaction history can only be filtered on automatic transfers, not manual.',
      'payout',
    );
  return Object.keys(world.state.balance_transactions).filter((id) => world.state.paid_out[id] === payout);
}

export const balanceRoutes: Route[] = [
  route(
    'GET',
    '/v1/balance_transactions',
    { ...p.paging, created: p.range, currency: p.text, payout: p.text, source: p.text, type: p.text },
    ({ world, params }) => {
      settlePayouts(world);
      const transactions = transactionsOf(world, params.payout)
        .flatMap((id) => currentTransaction(world, id) ?? [])
        .filter(
          ({ created, currency, source, type }) =>
            (params.created?.(created) ?? true) &&
            (params.currency ?? currency) === currency &&
            (params.source ?? source) === source &&
            (params.type ?? type) === type,
        );
      return page(transactions, params, '/v1/balance_transactions');
    },
  ),
  route('GET', '/v1/balance_transactions/:id', {}, ({ world, id }) => {
    settlePayouts(world);
    const transaction = currentTransaction(world, id);
    if (!transaction) throw missing('balance transaction', id);
    return transaction;
  }),
  route(
    'GET',
    '/v1/payouts',
    { ...p.paging, arrival_date: p.range, created: p.range, destination: p.text, status: p.text },
    ({ world, params }) => {
      settlePayouts(world);
      const payouts = Object.values(world.state.payouts).filter(
        (payout) =>
          (params.arrival_date?.(payout.arrival_date) ?? true) &&
          (params.created?.(payout.created) ?? true) &&
          (params.destination ?? payout.destination) === payout.destination &&
          (params.status ?? payout.status) === payout.status,
      );
      return page(payouts, params, '/v1/payouts');
    },
  ),
  route('GET', '/v1/payouts/:id', {}, ({ world, id }) => {
    settlePayouts(world);
    return findPayout(world, id);
  }),
  route(
    'POST',
    '/v1/payouts',
    {
      amount: p.needed(p.integer),
      currency: p.needed(p.text),
      description: p.text,
      metadata: p.metadata,
      statement_descriptor: p.text,
    },
    ({ world, params: { metadata, ...params } }) => {
      settlePayouts(world);
      return payOutByHand(world, { ...params, metadata: p.mergedMetadata({}, metadata) });
    },
  ),
];
