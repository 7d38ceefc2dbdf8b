import { createFileRoute } from '@tanstack/react-router';
import { DataPage } from '../../member/account/data-page.tsx';

export const Route = createFileRoute('/_member/account/data')({ component: DataPage });
