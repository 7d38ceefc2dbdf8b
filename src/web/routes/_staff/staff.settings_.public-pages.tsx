import { createFileRoute } from '@tanstack/react-router';
import { requirePermission } from '../../app/route-guards.ts';
import { PublicPagesPage } from '../../staff/settings/public-pages/public-pages-page.tsx';

export const Route = createFileRoute('/_staff/staff/settings_/public-pages')({
  beforeLoad: requirePermission('manage_staff'),
  component: PublicPagesPage,
});
