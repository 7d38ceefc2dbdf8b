import { createLazyFileRoute } from '@tanstack/react-router';
import { HistoryPage } from '../../member/wines/history-page.tsx';

export const Route = createLazyFileRoute('/_member/pours')({ component: HistoryPage });
