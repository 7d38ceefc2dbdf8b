import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { MemberImport } from '../../../contract/staff/imports.ts';
import { formatAmount } from '../../../domain/money.ts';
import { api, orpc } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { countOf } from './import-text.ts';
import { useImportAction } from './use-imports.ts';

type Price = NonNullable<MemberImport['prices']>[number];

/** Assigns a tier to each price at Stripe. */
export function PriceTiersForm({ of: it }: { of: MemberImport }) {
  const prices = it.prices ?? [];
  const query = useQuery(orpc.tierSettings.list.queryOptions());
  const [chosen, setChosen] = useState(() =>
    Object.fromEntries(prices.map(({ price, tier }) => [price, tier])),
  );
  const check = useImportAction(api.adoptions.check, 'We couldn’t save the tiers. Please try again.');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void check.run({ id: it.id, tiers: chosen });
  };
  return (
    <Loaded query={query} failed="We couldn’t load the tiers" lines={4}>
      {(tiers) => (
        <form onSubmit={submit} className="flex flex-col gap-5">
          <p className="text-ink-muted text-sm">
            Members keep their current price and get the pours of the tier you choose for it.
          </p>
          <div className="grid gap-4 sm:grid-cols-2">
            {prices.map((price) => (
              <SelectField
                key={price.price}
                id={`tier-of-${price.price}`}
                label={price.name}
                hint={`${amountOf(price)}, ${countOf(price.subscriptions, 'subscription')}`}
                value={chosen[price.price] ?? ''}
                onChange={(event) => setChosen({ ...chosen, [price.price]: event.target.value || null })}
                options={[
                  { value: '', label: 'No membership' },
                  ...tiers.map(({ tier_name, display_name }) => ({ value: tier_name, label: display_name })),
                ]}
              />
            ))}
          </div>
          <Button
            type="submit"
            variant="secondary"
            className="self-start"
            busy={check.busy}
            busyLabel="Checking..."
          >
            Check Again
          </Button>
        </form>
      )}
    </Loaded>
  );
}

const amountOf = ({ unit_cents, currency, interval }: Price): string =>
  unit_cents === null ? 'By use' : `${formatAmount(unit_cents, currency)} per ${interval}`;
