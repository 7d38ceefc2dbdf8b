import { createFileRoute } from '@tanstack/react-router';
import { SystemPage } from '../../staff/system/system-page.tsx';

export const Route = createFileRoute('/_staff/staff/system')({ component: SystemPage });
