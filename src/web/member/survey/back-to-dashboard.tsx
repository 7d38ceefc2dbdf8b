import { BackLink } from '../../ui/page-shell.tsx';

/** Says that they leave by themselves: /dashboard sends everybody else with a survey half done right back here. */
export function BackToDashboard() {
  return (
    <BackLink to="/dashboard" state={{ leftSurvey: true }}>
      Back to Dashboard
    </BackLink>
  );
}
