import { createLazyFileRoute } from '@tanstack/react-router';
import { AddMembershipPage } from '../../staff/customers/add-membership-page.tsx';

export const Route = createLazyFileRoute('/_staff/staff/customers/$id/add-membership')({ component: Page });

function Page() {
  const { id } = Route.useParams();
  return <AddMembershipPage key={id} id={id} />;
}
