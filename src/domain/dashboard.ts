import type { Payments } from './billing.ts';

export interface DashboardFacts {
  customer: { status: string } | null;
  membership_ever: boolean;
  application: {
    is_complete: boolean;
    selected_tier: string | null;
    stripe_session_id: string | null;
  } | null;
}

export type DashboardView = 'member' | 'apply' | 'complete_payment' | 'pay_at_venue' | 'renew' | 'welcome';

/** The variant of the dashboard that a member sees: docs/rules/membership.md, "Dashboard". */
export function dashboardView(
  { customer, membership_ever, application }: DashboardFacts,
  payments: Payments,
): DashboardView {
  if (customer?.status === 'active') return 'member';
  if (application) {
    if (!application.is_complete || !application.selected_tier) return 'apply';
    if (payments === 'off') return 'pay_at_venue';
    return application.stripe_session_id ? 'complete_payment' : 'apply';
  }
  if (customer || membership_ever) return 'renew';
  return 'welcome';
}

/** 'Good evening, Ada', never broken before 'evening'. `hour` is 0 to 23. */
export function greeting(firstName: string, hour: number): string {
  const time = hour < 5 || hour >= 18 ? 'evening' : hour < 12 ? 'morning' : 'afternoon';
  return `Good\u00a0${time}, ${firstName}`;
}
