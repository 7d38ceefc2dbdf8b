import { createLazyFileRoute } from '@tanstack/react-router';
import { PaymentsPage } from '../../staff/setup/payments-page.tsx';

export const Route = createLazyFileRoute('/_staff/staff/payments')({ component: PaymentsPage });
