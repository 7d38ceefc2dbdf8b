import { createLazyFileRoute } from '@tanstack/react-router';
import { PublicPagesPage } from '../../../staff/settings/public-pages/public-pages-page.tsx';

export const Route = createLazyFileRoute('/_staff/_manage_staff/staff/settings_/public-pages')({
  component: PublicPagesPage,
});
