import { createFileRoute } from '@tanstack/react-router';
import { sendHomeWhenSignedIn } from '../app/route-guards.ts';
import { TabletPage } from '../visitor/tablet/tablet-page.tsx';

export const Route = createFileRoute('/bar')({
  beforeLoad: () => sendHomeWhenSignedIn({ search: {} }),
  component: TabletPage,
});
