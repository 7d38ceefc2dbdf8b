import { createLazyFileRoute } from '@tanstack/react-router';
import { TwoFactorPage } from '../visitor/two-factor-page.tsx';

export const Route = createLazyFileRoute('/two-factor')({ component: SecondStep });

function SecondStep() {
  return <TwoFactorPage redirect={Route.useSearch().redirect} />;
}
