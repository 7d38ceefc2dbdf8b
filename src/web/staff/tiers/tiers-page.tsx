import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { useState } from 'react';
import type { TierSetting } from '../../../contract/staff/tier-settings.ts';
import { api, orpc } from '../../api/client.ts';
import { may } from '../../api/session.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { AlertDialog } from '../../ui/alert-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { toast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';
import { useBackToMore } from '../shell/back-links.tsx';
import { movedTo } from '../wines/use-reorder.ts';
import { MoveDialog } from './move-dialog.tsx';
import { membersText, type TierAsk, TierCard } from './tier-card.tsx';
import { TierDialog } from './tier-dialog.tsx';
import { tierProblem } from './tier-problem.ts';

type Open = { ask: TierAsk; tier: TierSetting } | { ask: 'add' };

export default function TiersPage() {
  const { user } = useRouteContext({ from: '/_staff' });
  const client = useQueryClient();
  const options = orpc.tierSettings.list.queryOptions();
  const query = useQuery(options);
  const { busy, send } = useSend();
  const [open, setOpen] = useState<Open | null>(null);
  const managesMoney = may(user, 'manage_money');
  const tiers = query.data ?? [];
  const onOffer = tiers.filter((it) => it.is_active);
  const close = () => setOpen(null);
  /** Shows the list that every change returns; other pages reload theirs. */
  const show = (settings: TierSetting[]) => {
    client.setQueryData(options.queryKey, settings);
    void client.invalidateQueries({ queryKey: orpc.tiers.key() });
  };
  const change = (work: () => Promise<TierSetting[]>, success: string) =>
    send(
      async () => {
        show(await work());
        toast.success(success);
      },
      (error) => {
        toast.error(tierProblem(error).text, { of: error });
        void query.refetch();
      },
    );
  const step = (tier: TierSetting, by: -1 | 1) => {
    const names = onOffer.map((it) => it.tier_name);
    const tiers = movedTo(names, tier.tier_name, names.indexOf(tier.tier_name) + by);
    void change(() => api.tierSettings.order({ tiers }), 'The order was changed');
  };
  const act = (ask: TierAsk, tier: TierSetting) => {
    const { tier_name, display_name, is_featured } = tier;
    if (ask === 'earlier' || ask === 'later') return step(tier, ask === 'later' ? 1 : -1);
    if (ask === 'recommend') {
      return void change(
        () => api.tierSettings.feature({ tier_name: is_featured ? null : tier_name }),
        is_featured ? 'No tier is recommended' : `${display_name} is recommended`,
      );
    }
    if (ask === 'offer') {
      return void change(
        () => api.tierSettings.offer({ tier_name, on_offer: true }),
        `${display_name} is on offer`,
      );
    }
    setOpen({ ask, tier });
  };
  const retire = async ({ tier_name, display_name }: TierSetting) => {
    await change(() => api.tierSettings.offer({ tier_name, on_offer: false }), `${display_name} is retired`);
    close();
  };
  return (
    <PageShell
      width="wide"
      title="Tiers"
      lead="What members can buy: a price and a number of pours each month."
      back={useBackToMore()}
      actions={
        managesMoney && (
          <Button size="sm" onClick={() => setOpen({ ask: 'add' })}>
            Add Tier
          </Button>
        )
      }
    >
      <Loaded query={query} failed="We couldn’t load the tiers" card lines={6}>
        {() => (
          <ul className="grid gap-5 xl:grid-cols-2">
            {tiers.map((tier) => (
              <TierCard
                key={tier.tier_name}
                tier={tier}
                place={onOffer.indexOf(tier)}
                last={onOffer.length - 1}
                onAsk={managesMoney ? (ask) => act(ask, tier) : null}
              />
            ))}
          </ul>
        )}
      </Loaded>
      {open?.ask === 'add' && <TierDialog tier={null} onSaved={show} onClose={close} />}
      {open?.ask === 'edit' && <TierDialog tier={open.tier} onSaved={show} onClose={close} />}
      {open?.ask === 'move' && <MoveDialog {...{ tiers }} tier={open.tier} onClose={close} />}
      {open?.ask === 'retire' && (
        <AlertDialog
          open
          title={`Retire ${open.tier.display_name}?`}
          description={`Nobody new can choose it. ${membersText(open.tier.members)} keep it, its price and its pours. You can offer it again.`}
          confirmLabel="Retire"
          busyLabel="Retiring..."
          busy={busy}
          onConfirm={() => void retire(open.tier)}
          onClose={close}
        />
      )}
      {open?.ask === 'withdraw' && <WithdrawDialog tier={open.tier} onClose={close} />}
    </PageShell>
  );
}

function WithdrawDialog({ tier, onClose }: { tier: TierSetting; onClose: () => void }) {
  return (
    <ActDialog
      title={`Withdraw the move to ${tier.display_name}?`}
      description={`${membersText(tier.moves?.count ?? 0)} get an email that their price stays as it is.`}
      confirmLabel="Withdraw"
      busyLabel="Withdrawing..."
      act={async () => {
        const { withdrawn } = await api.tierSettings.withdrawMoves({ tier_name: tier.tier_name });
        return `Withdrawn: ${membersText(withdrawn)} emailed`;
      }}
      failed="We couldn’t withdraw the move. Please try again."
      reload={orpc.tierSettings.key()}
      onClose={onClose}
    />
  );
}
