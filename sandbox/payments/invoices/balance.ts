import type { Customer, Invoice } from '../http/wire.ts';
import { changed, type World } from '../store/world.ts';

const balanceChange = ({ starting_balance, ending_balance }: Invoice) =>
  (ending_balance ?? starting_balance) - starting_balance;

/** Updates the balance for a finalized invoice: spends credit, and adds an amount too small to charge. */
export function spendBalance(world: World, customer: Customer, invoice: Invoice): void {
  changed(world, 'customer.updated', customer, () => {
    customer.balance += balanceChange(invoice);
  });
}

/** Gives back what a voided invoice took from the customer's balance. */
export function restoreBalance(world: World, invoice: Invoice): void {
  const customer = world.state.customers[invoice.customer ?? ''];
  if (!customer) return;
  changed(world, 'customer.updated', customer, () => {
    customer.balance -= balanceChange(invoice);
  });
}
