import { expect, test } from 'vitest';
import { createPayer, createTiers, startHarness } from '../support/sandbox/harness.ts';

test('an archived price or product takes no new subscription, and existing ones renew', async () => {
  const { stripe, advance } = await startHarness();
  const { select, premier } = await createTiers(stripe);
  const { id: customer } = await createPayer(stripe);
  const subscribe = (price: string) => stripe.subscriptions.create({ customer, items: [{ price }] });
  const { id } = await subscribe(select.id);

  await stripe.prices.update(select.id, { active: false });
  await expect(subscribe(select.id)).rejects.toMatchObject({
    param: 'items[0][price]',
    message: 'The price specified is inactive. This field only accepts active prices.',
  });
  const product = String(premier.product);
  await stripe.products.update(product, { active: false });
  // The price itself stays active.
  expect((await stripe.prices.retrieve(premier.id)).active).toBe(true);
  await expect(subscribe(premier.id)).rejects.toThrow(`The product ${product} is marked as inactive`);
  await stripe.products.update(product, { active: true });
  await subscribe(premier.id);

  await advance('1 month');
  const { data } = await stripe.invoices.list({ subscription: id, status: 'paid' });
  expect(data).toHaveLength(2);
});
