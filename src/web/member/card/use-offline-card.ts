import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { decodeCard } from '../../../domain/card.ts';
import { orpc } from '../../api/client.ts';
import { deleteOfflineCard, saveOfflineCard } from '../../api/offline-card.ts';
import { useTierLabel } from '../../api/use-tier-names.ts';
import { cardCodeQuery } from './card-code-query.ts';

/** Stores the member's latest code on the device while the app is open, in case the network fails. */
export function useOfflineCard(): void {
  const { data: me } = useQuery({ ...orpc.members.getOwn.queryOptions(), enabled: false });
  // A paused membership has no code, so none is requested.
  const customer = me?.customer?.status === 'active' && me.pours?.access ? me.customer : null;
  const { data: code, dataUpdatedAt } = useQuery({ ...cardCodeQuery, enabled: customer !== null });

  const tierLabel = useTierLabel();
  const tier_label = tierLabel(customer?.tier ?? '');

  useEffect(() => {
    if (!me) return;
    if (!customer) return deleteOfflineCard();
    // The session cookie decides whose code this is: another user may have signed in in another tab.
    if (!code || decodeCard(code.token)?.claims.customer_id !== customer.id) return;
    const { first_name, last_name, id } = me.profile;
    const { tier, member_since } = customer;
    const { token } = code;
    saveOfflineCard({
      user_id: id,
      first_name,
      last_name,
      tier,
      tier_label,
      member_since,
      token,
      arrived_at: dataUpdatedAt,
    });
  }, [me, customer, tier_label, code, dataUpdatedAt]);
}
