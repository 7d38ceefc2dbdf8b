import { useQuery } from '@tanstack/react-query';
import { DataExportCard } from '../../account/data-export-card.tsx';
import { orpc } from '../../api/client.ts';
import { AccountShell } from './account-shell.tsx';
import { DeleteAccountCard } from './delete-account-card.tsx';

export function DataPage() {
  // Until it is known, the form says what would end if there were a membership.
  const { data: me } = useQuery(orpc.members.getOwn.queryOptions());
  return (
    <AccountShell title="Your Data" lead="What we store about you is yours.">
      <DataExportCard />
      <DeleteAccountCard member={!me || me.customer?.status === 'active'} />
    </AccountShell>
  );
}
