import { useQuery } from '@tanstack/react-query';
import type { Customer, OwnHousehold } from '../../../contract/members.ts';
import { DataExportCard } from '../../account/data-export-card.tsx';
import { orpc } from '../../api/client.ts';
import { AccountShell } from './account-shell.tsx';
import { DeleteAccountCard } from './delete-account-card.tsx';

/** Until this is loaded, the form mentions the end of a membership. */
function whatEnds(me: { customer: Customer | null; household: OwnHousehold | null } | undefined) {
  if (me?.household?.role === 'partner') return 'sharing';
  return !me || me.customer?.status === 'active' ? 'membership' : null;
}

export function DataPage() {
  const { data: me } = useQuery(orpc.members.getOwn.queryOptions());
  return (
    <AccountShell title="Your Data" lead="What we store about you is yours.">
      <DataExportCard />
      <DeleteAccountCard ends={whatEnds(me)} />
    </AccountShell>
  );
}
