import { createFileRoute } from '@tanstack/react-router';
import { readRedirect } from '../visitor/landing.ts';
import { TwoFactorPage } from '../visitor/two-factor-page.tsx';

export const Route = createFileRoute('/two-factor')({
  validateSearch: readRedirect,
  component: SecondStep,
});

function SecondStep() {
  return <TwoFactorPage redirect={Route.useSearch().redirect} />;
}
