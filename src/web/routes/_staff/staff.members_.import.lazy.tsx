import { createLazyFileRoute } from '@tanstack/react-router';
import { ImportsPage } from '../../staff/imports/imports-page.tsx';

export const Route = createLazyFileRoute('/_staff/staff/members_/import')({ component: ImportsPage });
