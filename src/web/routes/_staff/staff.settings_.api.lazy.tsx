import { createLazyFileRoute } from '@tanstack/react-router';
import { ApiPage } from '../../staff/settings/api-page.tsx';

export const Route = createLazyFileRoute('/_staff/staff/settings_/api')({
  component: ApiPage,
});
