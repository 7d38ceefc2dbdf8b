import { createLazyFileRoute } from '@tanstack/react-router';
import { ApplicationsPage } from '../../staff/applications/applications-page.tsx';

export const Route = createLazyFileRoute('/_staff/staff/applications/')({ component: ApplicationsPage });
