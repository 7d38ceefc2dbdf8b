import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { MemberImport } from '../../../contract/staff/imports.ts';
import { formatAmount } from '../../../domain/money.ts';
import { api, orpc } from '../../api/client.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { StatTile } from '../../ui/stat-tile.tsx';
import { useMay } from '../record/use-member-record.ts';
import { useAct } from '../use-act.ts';
import { DiscardButton } from './discard-button.tsx';
import { ImportRows } from './import-rows.tsx';
import { countOf } from './import-text.ts';

export function AdoptionCards({ of: it }: { of: MemberImport }) {
  const managesMoney = useMay('manage_money');
  const leftAtStripe = it.total_rows - it.ready_rows;
  return (
    <>
      <Card title="What Will Happen" aside={<DiscardButton of={it} />}>
        <div className="flex flex-col gap-5">
          <div className="grid gap-3 sm:grid-cols-2">
            <StatTile
              label="To take over"
              value={it.ready_rows.toLocaleString('en-US')}
              note="Same card, price and billing date"
            />
            <StatTile
              label="Left at Stripe"
              value={leftAtStripe.toLocaleString('en-US')}
              note={leftAtStripe > 0 ? 'Listed below, with the reason' : 'None'}
            />
          </div>
          {managesMoney ? (
            <TakeOver of={it} />
          ) : (
            <p>You need permission to manage money to take them over.</p>
          )}
        </div>
      </Card>
      {managesMoney && (it.prices?.length ?? 0) > 0 && (
        <Card title="Prices at Stripe, and Your Tiers">
          <PriceTiersForm key={it.id} of={it} />
        </Card>
      )}
      {it.ready_rows > 0 && (
        <Card title="Subscriptions to Take Over" padding="plain" className="overflow-clip">
          <ImportRows of={it} which="ready" caption="Subscriptions to take over" />
        </Card>
      )}
      {leftAtStripe > 0 && (
        <Card title="Subscriptions Left at Stripe" padding="plain" className="overflow-clip">
          <ImportRows of={it} which="problems" caption="Subscriptions left at Stripe" />
        </Card>
      )}
    </>
  );
}

function TakeOver({ of: it }: { of: MemberImport }) {
  const [asking, setAsking] = useState(false);
  const label = `Take Over ${countOf(it.ready_rows, 'Subscription')}`;
  return (
    <>
      <Button className="self-start" disabled={it.ready_rows === 0} onClick={() => setAsking(true)}>
        {label}
      </Button>
      {asking && (
        <ActDialog
          tone="primary"
          title={`Take over ${countOf(it.ready_rows, 'subscription')}?`}
          description="Nobody is charged now, and nobody gets an email. From then on they are members like everyone else: renewals, failed payments and cancellations are handled here. Turn off whatever handled them before. You can give them back for 30 days."
          confirmLabel="Take Over"
          busyLabel="Starting..."
          act={async () => void (await api.adoptions.start({ id: it.id }))}
          failed="We couldn’t take them over. Please try again."
          reload={orpc.imports.key()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

type Price = NonNullable<MemberImport['prices']>[number];

function PriceTiersForm({ of: it }: { of: MemberImport }) {
  const prices = it.prices ?? [];
  const query = useQuery(orpc.tierSettings.list.queryOptions());
  const [chosen, setChosen] = useState(() =>
    Object.fromEntries(prices.map(({ price, tier }) => [price, tier])),
  );
  const check = useAct('We couldn’t save the tiers. Please try again.', orpc.imports.key());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void check.act(() => api.adoptions.check({ id: it.id, tiers: chosen }));
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
  unit_cents === null ? 'Usage-based' : `${formatAmount(unit_cents, currency)} per ${interval}`;
