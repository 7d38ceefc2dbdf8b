import { createFileRoute } from '@tanstack/react-router';
import { readListAddress } from '../../staff/members/list-address.ts';
import { MembersPage } from '../../staff/members/members-page.tsx';

export const Route = createFileRoute('/_staff/staff/members')({
  validateSearch: readListAddress,
  component: Members,
});

function Members() {
  return <MembersPage address={Route.useSearch()} />;
}
