import { createLazyFileRoute } from '@tanstack/react-router';
import { ApplicationPage } from '../../staff/applications/application-page.tsx';

export const Route = createLazyFileRoute('/_staff/staff/applications/$id')({ component: Page });

function Page() {
  const { id } = Route.useParams();
  return <ApplicationPage key={id} id={id} />;
}
