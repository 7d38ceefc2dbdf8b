import { createLazyFileRoute } from '@tanstack/react-router';
import { ClubPage } from '../../../staff/settings/club-page.tsx';

export const Route = createLazyFileRoute('/_staff/_manage_staff/staff/settings')({ component: ClubPage });
