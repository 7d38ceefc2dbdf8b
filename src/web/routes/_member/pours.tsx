import { createFileRoute } from '@tanstack/react-router';
import { HistoryPage } from '../../member/history/history-page.tsx';

export const Route = createFileRoute('/_member/pours')({ component: HistoryPage });
