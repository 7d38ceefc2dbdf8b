import { createLazyFileRoute } from '@tanstack/react-router';
import { AuditPage } from '../../../staff/audit/audit-page.tsx';

export const Route = createLazyFileRoute('/_staff/_manage_staff/staff/audit')({ component: Audit });

function Audit() {
  return <AuditPage filter={Route.useSearch()} />;
}
