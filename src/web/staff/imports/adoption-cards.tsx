import { useState } from 'react';
import type { MemberImport } from '../../../contract/staff/imports.ts';
import { api, orpc } from '../../api/client.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { StatTile } from '../../ui/stat-tile.tsx';
import { useMay } from '../record/use-member-record.ts';
import { DiscardButton } from './discard-button.tsx';
import { ImportRows } from './import-rows.tsx';
import { countOf } from './import-text.ts';
import { PriceTiersForm } from './price-tiers-form.tsx';

/** The effects of taking over the subscriptions at Stripe. */
export function AdoptionCards({ of: it }: { of: MemberImport }) {
  const managesMoney = useMay('manage_money');
  const wrong = it.total_rows - it.ready_rows;
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
              value={wrong.toLocaleString('en-US')}
              note={wrong > 0 ? 'Listed below, with the reason' : 'None'}
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
      {wrong > 0 && (
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
