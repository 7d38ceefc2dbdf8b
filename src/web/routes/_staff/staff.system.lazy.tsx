import { createLazyFileRoute } from '@tanstack/react-router';
import { SystemPage } from '../../staff/system/system-page.tsx';

export const Route = createLazyFileRoute('/_staff/staff/system')({ component: SystemPage });
