import CircleQuestionMark from 'lucide-react/icons/circle-question-mark';
import type { SessionUser } from '../../api/session.ts';
import { PageShell } from '../../ui/page-shell.tsx';
import { RowLink, RowList } from '../../ui/row-link.tsx';
import { StaffSignOut } from '../staff-sign-out.tsx';
import { ACCOUNT, type StaffPage, sectionsFor } from './staff-pages.ts';
import { usePendingApplications } from './use-pending-applications.ts';

/** The pages that have their own tab, or a link on the bar's page. */
const ELSEWHERE = ['/staff/dashboard', '/staff/search', '/staff/wines', '/staff/members/new'];

export function MorePage({ user }: { user: SessionUser }) {
  const sections = sectionsFor(user);
  const pending = usePendingApplications() ?? 0;
  const daily = sections.filter(({ hasList }) => !hasList).flatMap(({ pages }) => pages);
  const row = (page: StaffPage) => (
    <RowLink
      key={page.to}
      to={page.to}
      icon={page.icon}
      title={page.label}
      detail={page.to === '/staff/applications' && pending > 0 ? `${pending} waiting` : page.detail}
    />
  );
  return (
    <PageShell title="More">
      <RowList label="More">
        {daily.filter(({ to }) => !ELSEWHERE.includes(to)).map(row)}
        {row({ ...ACCOUNT, detail: user.email })}
        <RowLink to="/help" icon={CircleQuestionMark} title="Help" detail="The handbook, with a search" />
      </RowList>
      {sections
        .filter(({ hasList }) => hasList)
        .map(({ label, pages }) => (
          <section key={label}>
            <h2 className="mb-3 text-xl">{label}</h2>
            <RowList label={label}>{pages.map(row)}</RowList>
          </section>
        ))}
      <StaffSignOut variant="secondary" size="md" />
    </PageShell>
  );
}
