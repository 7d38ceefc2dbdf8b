import { useRouteContext, useRouter } from '@tanstack/react-router';
import ChevronDown from 'lucide-react/icons/chevron-down';
import CircleQuestionMark from 'lucide-react/icons/circle-question-mark';
import { PageShell } from '../../ui/page-shell.tsx';
import { RowLink, RowList } from '../../ui/row-link.tsx';
import { StaffSignOut } from '../staff-sign-out.tsx';
import { ACCOUNT, byHead, isClosedHead, type StaffPage, sectionsFor } from './staff-pages.ts';
import { usePendingApplications } from './use-pending-applications.ts';

/** The pages that have their own tab, or a link on the bar's page. */
const ELSEWHERE = ['/staff/dashboard', '/staff/search', '/staff/wines', '/staff/members/new'];

export default function MorePage() {
  const { user } = useRouteContext({ from: '/_staff' });
  const pending = usePendingApplications() ?? 0;
  const sections = sectionsFor(user, useRouter(), pending);
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
            <div className="flex flex-col gap-4">
              {byHead(pages).map(({ head, pages: ofHead }) =>
                isClosedHead(head) ? (
                  <details key={head}>
                    <summary className="eyebrow target flex w-fit cursor-pointer items-center gap-1.5 text-brass-text">
                      {head}
                      <ChevronDown size={16} aria-hidden="true" />
                    </summary>
                    <RowList label={head}>{ofHead.map(row)}</RowList>
                  </details>
                ) : (
                  <div key={head}>
                    <h3 className="eyebrow mb-2 text-brass-text">{head}</h3>
                    <RowList label={head}>{ofHead.map(row)}</RowList>
                  </div>
                ),
              )}
            </div>
          </section>
        ))}
      <StaffSignOut variant="secondary" size="md" />
    </PageShell>
  );
}
