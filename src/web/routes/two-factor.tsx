import { createFileRoute } from '@tanstack/react-router';
import { readRedirect } from '../app/route-guards.ts';
import { SecondStepScreen } from '../visitor/two-factor-page.tsx';

export const Route = createFileRoute('/two-factor')({
  validateSearch: readRedirect,
  component: SecondStep,
});

function SecondStep() {
  return <SecondStepScreen redirect={Route.useSearch().redirect} />;
}
