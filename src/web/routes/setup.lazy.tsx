import { createLazyFileRoute, useLocation } from '@tanstack/react-router';
import { SetupPage } from '../visitor/setup-page.tsx';

export const Route = createLazyFileRoute('/setup')({ component: Setup });

function Setup() {
  // After the #, where it reaches neither the server's log nor another site.
  const link = useLocation({ select: ({ hash }) => hash });
  return <SetupPage key={link} link={link} />;
}
