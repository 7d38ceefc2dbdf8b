import { invalid } from '../http/errors.ts';
import * as p from '../http/params.ts';
import type { Subscription } from '../http/wire.ts';

export const collectionFields = {
  collection_method: p.oneOf('charge_automatically', 'send_invoice'),
  days_until_due: p.integer,
};
type CollectionParams = p.Params<typeof collectionFields>;

/** Days until a sent invoice is due; undefined if invoices are charged. Throws 400 if one of the two needs the other. */
export function daysUntilDue({ collection_method, days_until_due }: CollectionParams): number | undefined {
  if (collection_method === 'send_invoice' && days_until_due === undefined)
    throw invalid(
      'You must pass `days_until_due` when `collection_method` is `send_invoice`.',
      'days_until_due',
      'parameter_missing',
    );
  if (collection_method !== 'send_invoice' && days_until_due !== undefined)
    throw invalid(
      'You can only pass `days_until_due` when `collection_method` is `send_invoice`.',
      'days_until_due',
    );
  return days_until_due;
}

/** Changes how the invoices of a subscription are collected, as far as requested. Throws 400 as `daysUntilDue` does. */
export function setCollection(subscription: Subscription, params: CollectionParams): void {
  if (params.collection_method === undefined && params.days_until_due === undefined) return;
  const collection_method = params.collection_method ?? subscription.collection_method;
  const days =
    params.days_until_due ?? (collection_method === 'send_invoice' ? subscription.days_until_due : null);
  subscription.days_until_due =
    daysUntilDue({
      collection_method: collection_method === 'send_invoice' ? 'send_invoice' : 'charge_automatically',
      ...(days === null ? {} : { days_until_due: days }),
    }) ?? null;
  subscription.collection_method = collection_method;
}
