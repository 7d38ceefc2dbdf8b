import { createLazyFileRoute } from '@tanstack/react-router';
import { PlacesPage } from '../../../staff/settings/places-page.tsx';

export const Route = createLazyFileRoute('/_staff/_manage_staff/staff/settings_/places')({
  component: PlacesPage,
});
