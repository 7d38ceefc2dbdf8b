import { createLazyFileRoute } from '@tanstack/react-router';
import { MemberPanel } from '../../staff/members/member-panel.tsx';

export const Route = createLazyFileRoute('/_staff/staff/members/$id')({ component: Member });

function Member() {
  const { id } = Route.useParams();
  return <MemberPanel key={id} id={id} />;
}
