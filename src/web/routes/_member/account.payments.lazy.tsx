import { createLazyFileRoute } from '@tanstack/react-router';
import { PaymentsPage } from '../../member/account/payments-page.tsx';

export const Route = createLazyFileRoute('/_member/account/payments')({ component: PaymentsPage });
