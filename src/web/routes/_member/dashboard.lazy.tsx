import { createLazyFileRoute, useLocation } from '@tanstack/react-router';
import { DashboardPage } from '../../member/dashboard/dashboard-page.tsx';

export const Route = createLazyFileRoute('/_member/dashboard')({ component: Dashboard });

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Set on visits to /dashboard by the survey's back button. */
    leftSurvey?: boolean;
  }
}

function Dashboard() {
  const { user } = Route.useRouteContext();
  const leftSurvey = useLocation({ select: (location) => location.state.leftSurvey === true });
  return <DashboardPage user={user} leftSurvey={leftSurvey} />;
}
