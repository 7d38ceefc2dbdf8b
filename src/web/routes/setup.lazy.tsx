import { createLazyFileRoute } from '@tanstack/react-router';
import { useLinkSecret } from '../visitor/links/use-link.ts';
import { SetupPage } from '../visitor/setup-page.tsx';

export const Route = createLazyFileRoute('/setup')({ component: Setup });

function Setup() {
  const link = useLinkSecret();
  return <SetupPage key={link} link={link} />;
}
