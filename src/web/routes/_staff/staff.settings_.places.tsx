import { createFileRoute } from '@tanstack/react-router';
import { requirePermission } from '../../app/route-guards.ts';
import { PlacesPage } from '../../staff/settings/places-page.tsx';

export const Route = createFileRoute('/_staff/staff/settings_/places')({
  beforeLoad: requirePermission('manage_staff'),
  component: PlacesPage,
});
