import Activity from 'lucide-react/icons/activity';
import ChartColumn from 'lucide-react/icons/chart-column';
import CreditCard from 'lucide-react/icons/credit-card';
import FileUp from 'lucide-react/icons/file-up';
import Mails from 'lucide-react/icons/mails';
import MonitorSmartphone from 'lucide-react/icons/monitor-smartphone';
import ScrollText from 'lucide-react/icons/scroll-text';
import ShieldCheck from 'lucide-react/icons/shield-check';
import Tags from 'lucide-react/icons/tags';
import UserCog from 'lucide-react/icons/user-cog';
import UserPlus from 'lucide-react/icons/user-plus';
import UsersRound from 'lucide-react/icons/users-round';
import Webhook from 'lucide-react/icons/webhook';
import Wine from 'lucide-react/icons/wine';
import { may, type SessionUser } from '../../api/session.ts';
import { PageShell } from '../../ui/page-shell.tsx';
import { RowLink, RowList } from '../../ui/row-link.tsx';
import { StaffSignOut } from '../staff-sign-out.tsx';

/** Links to pages that staff need less often than the bar and the members. */
export function MorePage({ user }: { user: SessionUser }) {
  return (
    <PageShell title="More">
      <RowList label="More">
        <RowLink
          to="/staff/members"
          icon={UsersRound}
          title="All Members"
          detail="Current and former members, to filter and sort"
        />
        <RowLink to="/staff/wines" icon={Wine} title="Wines" detail="What is open, on the list, and gone" />
        {may(user, 'manage_members') && (
          <RowLink
            to="/staff/members/new"
            icon={UserPlus}
            title="Sign Up a Member"
            detail="At the bar, with payment on their phone or at the till"
          />
        )}
        <RowLink
          to="/staff/account"
          icon={ShieldCheck}
          title="Your Account"
          detail={<span className="break-words">{user.email}</span>}
        />
        <RowLink
          to="/staff/settings"
          icon={MonitorSmartphone}
          title="Settings"
          detail={
            may(user, 'manage_staff')
              ? 'The club, and colors and the scanner here'
              : 'Colors and the scanner here'
          }
        />
        <RowLink to="/staff/tiers" icon={Tags} title="Tiers" detail="Prices, pours, and what is on offer" />
        {may(user, 'manage_members') && (
          <RowLink
            to="/staff/members/import"
            icon={FileUp}
            title="Move In and Out"
            detail="Import members from a file, or download them all"
          />
        )}
        {may(user, 'see_reports') && (
          <RowLink
            to="/staff/reports"
            icon={ChartColumn}
            title="Reports"
            detail="Members, revenue, pours, and who has stopped coming"
          />
        )}
        {may(user, 'manage_staff') && (
          <>
            <RowLink to="/staff/team" icon={UserCog} title="Team" detail="Staff and their permissions" />
            <RowLink
              to="/staff/settings/emails"
              icon={Mails}
              title="Emails"
              detail="What the club writes to its members"
            />
            <RowLink to="/staff/audit" icon={ScrollText} title="Audit" detail="Who did what, and when" />
            <RowLink
              to="/staff/webhooks"
              icon={Webhook}
              title="Webhooks"
              detail="Tell other systems what happens"
            />
          </>
        )}
        {may(user, 'manage_money') && (
          <RowLink
            to="/staff/payments"
            icon={CreditCard}
            title="Payments"
            detail="Whether Stripe is ready, and what is missing"
          />
        )}
        <RowLink to="/staff/system" icon={Activity} title="System" detail="What works and what does not" />
      </RowList>
      <StaffSignOut variant="secondary" size="md" />
    </PageShell>
  );
}
