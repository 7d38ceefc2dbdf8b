import { createLazyFileRoute } from '@tanstack/react-router';
import { AppearancePage } from '../../member/account/appearance-page.tsx';

export const Route = createLazyFileRoute('/_member/account/appearance')({ component: AppearancePage });
