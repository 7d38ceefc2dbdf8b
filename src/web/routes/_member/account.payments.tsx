import { createFileRoute } from '@tanstack/react-router';
import { PaymentsPage } from '../../member/account/payments-page.tsx';

export const Route = createFileRoute('/_member/account/payments')({ component: PaymentsPage });
