import {
  Activity,
  ChartColumn,
  CreditCard,
  FileUp,
  Mails,
  MonitorSmartphone,
  ScrollText,
  ShieldCheck,
  Tags,
  UserCog,
  UserPlus,
  UsersRound,
  Webhook,
  Wine,
} from 'lucide-react';
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
