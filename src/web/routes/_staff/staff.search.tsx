import { createFileRoute } from '@tanstack/react-router';
import { VerifyPage } from '../../staff/scanner/verify-page.tsx';

export const Route = createFileRoute('/_staff/staff/search')({ component: VerifyPage });
