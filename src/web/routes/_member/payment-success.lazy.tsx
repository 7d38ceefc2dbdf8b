import { createLazyFileRoute } from '@tanstack/react-router';
import { PaymentSuccessPage } from '../../member/billing/payment-success-page.tsx';

export const Route = createLazyFileRoute('/_member/payment-success')({ component: PaymentSuccessPage });
