import { createFileRoute } from '@tanstack/react-router';
import { ApplicationsPage } from '../../staff/applications/applications-page.tsx';

export const Route = createFileRoute('/_staff/staff/applications/')({ component: ApplicationsPage });
