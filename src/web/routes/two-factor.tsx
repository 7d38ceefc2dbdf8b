import { createFileRoute } from '@tanstack/react-router';
import { SecondStepScreen } from '../features/auth/second-step-screen.tsx';
import { readRedirect } from '../features/guard.ts';

export const Route = createFileRoute('/two-factor')({
  validateSearch: readRedirect,
  component: SecondStep,
});

function SecondStep() {
  return <SecondStepScreen redirect={Route.useSearch().redirect} />;
}
