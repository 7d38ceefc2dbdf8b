import { createLazyFileRoute } from '@tanstack/react-router';
import { MembersPage } from '../../staff/members/members-page.tsx';

export const Route = createLazyFileRoute('/_staff/staff/members')({ component: Members });

function Members() {
  return <MembersPage address={Route.useSearch()} />;
}
