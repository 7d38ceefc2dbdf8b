import { createLazyFileRoute } from '@tanstack/react-router';
import { AddPourPage } from '../../staff/pours/add-pour-page.tsx';

export const Route = createLazyFileRoute('/_staff/staff/customers/$id/add-pour')({ component: Page });

function Page() {
  const { id } = Route.useParams();
  return <AddPourPage key={id} id={id} />;
}
