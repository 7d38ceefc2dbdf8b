import { createFileRoute } from '@tanstack/react-router';
import { AppearancePage } from '../../member/account/appearance-page.tsx';

export const Route = createFileRoute('/_member/account/appearance')({ component: AppearancePage });
