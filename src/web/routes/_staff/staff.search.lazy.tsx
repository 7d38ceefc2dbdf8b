import { createLazyFileRoute } from '@tanstack/react-router';
import { VerifyPage } from '../../staff/scanner/verify-page.tsx';

export const Route = createLazyFileRoute('/_staff/staff/search')({ component: VerifyPage });
