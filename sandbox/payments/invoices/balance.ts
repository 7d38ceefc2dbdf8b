import { blank } from '../http/blank.ts';
import { invalid } from '../http/errors.ts';
import * as p from '../http/params.ts';
import { type Route, route } from '../http/routes.ts';
import type { BalanceTransaction, Customer, Invoice } from '../http/wire.ts';
import { page } from '../http/wire.ts';
import { changed, finder, newId, timeOf, type World } from '../store/world.ts';

type Entry = Pick<BalanceTransaction, 'amount' | 'type'> &
  Partial<Pick<BalanceTransaction, 'invoice' | 'description' | 'metadata' | 'currency'>>;

/** Adds to a customer's balance; a negative amount is a credit, spent by their next invoices. */
export function recordBalance(world: World, customer: Customer, entry: Entry): BalanceTransaction | null {
  if (entry.amount === 0) return null;
  customer.balance += entry.amount;
  const { id } = customer;
  const transaction: BalanceTransaction = {
    ...blank('customer_balance_transaction'),
    id: newId('cbtxn'),
    amount: entry.amount,
    created: timeOf(world, customer.test_clock ?? null),
    currency: entry.currency ?? customer.currency ?? 'usd',
    customer: id,
    description: entry.description ?? null,
    ending_balance: customer.balance,
    invoice: entry.invoice ?? null,
    metadata: entry.metadata ?? {},
    type: entry.type,
  };
  world.state.balance_transactions[transaction.id] = transaction;
  return transaction;
}

const balanceChange = ({ starting_balance, ending_balance }: Invoice) =>
  (ending_balance ?? starting_balance) - starting_balance;

/** Updates the balance for a finalized invoice: spends credit, and adds an amount too small to charge. */
export function spendBalance(world: World, customer: Customer, invoice: Invoice): void {
  const amount = balanceChange(invoice);
  const isTooSmall = (invoice.ending_balance ?? 0) > 0;
  const type =
    invoice.total < 0 ? 'invoice_too_large' : isTooSmall ? 'invoice_too_small' : 'applied_to_invoice';
  changed(world, 'customer.updated', customer, () => {
    recordBalance(world, customer, { amount, type, invoice: invoice.id, currency: invoice.currency });
  });
}

/** Gives back what a voided invoice took from the customer's balance. */
export function restoreBalance(world: World, invoice: Invoice): void {
  const customer = world.state.customers[invoice.customer ?? ''];
  if (!customer) return;
  const amount = -balanceChange(invoice);
  changed(world, 'customer.updated', customer, () => {
    recordBalance(world, customer, {
      amount,
      type: 'unapplied_from_invoice',
      invoice: invoice.id,
      currency: invoice.currency,
    });
  });
}

const findOwner = finder('customer', (state) => state.customers);

export const balanceRoutes: Route[] = [
  route(
    'POST',
    '/v1/customers/:id/balance_transactions',
    {
      amount: p.needed(p.integer),
      currency: p.needed(p.text),
      description: p.text,
      metadata: p.metadata,
    },
    ({ world, id, params }) => {
      const customer = findOwner(world, id);
      if (customer.currency && customer.currency !== params.currency)
        throw invalid(`The customer's balance is in ${customer.currency}.`, 'currency');
      const entry: Entry = {
        ...params,
        metadata: p.mergedMetadata({}, params.metadata),
        type: 'adjustment',
      };
      let made: BalanceTransaction | null = null;
      changed(world, 'customer.updated', customer, () => {
        customer.currency ??= params.currency;
        made = recordBalance(world, customer, entry);
      });
      if (!made) throw invalid('Invalid non-zero integer', 'amount');
      return made;
    },
  ),
  route('GET', '/v1/customers/:id/balance_transactions', { ...p.paging }, ({ world, id, params }) => {
    findOwner(world, id);
    return page(
      Object.values(world.state.balance_transactions).filter(({ customer }) => customer === id),
      params,
      `/v1/customers/${id}/balance_transactions`,
    );
  }),
];
