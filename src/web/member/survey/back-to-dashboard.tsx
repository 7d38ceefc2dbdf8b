import { BackLink } from '../../ui/back-link.tsx';

/** Marks a deliberate exit: otherwise /dashboard sends a user with an unfinished survey straight back here. */
export function BackToDashboard() {
  return (
    <BackLink to="/dashboard" state={{ leftSurvey: true }}>
      Back to Dashboard
    </BackLink>
  );
}
