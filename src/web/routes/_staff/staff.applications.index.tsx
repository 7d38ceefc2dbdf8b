import { createFileRoute } from '@tanstack/react-router';
import { ApplicationsPage } from '../../features/staff/applications/applications-page.tsx';

export const Route = createFileRoute('/_staff/staff/applications/')({ component: ApplicationsPage });
