import { createLazyFileRoute } from '@tanstack/react-router';
import { CustomerPage } from '../../staff/customers/customer-page.tsx';

export const Route = createLazyFileRoute('/_staff/staff/customers/$id/')({ component: Page });

function Page() {
  const { id } = Route.useParams();
  return <CustomerPage key={id} id={id} />;
}
