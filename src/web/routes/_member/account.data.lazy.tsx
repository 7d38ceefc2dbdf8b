import { createLazyFileRoute } from '@tanstack/react-router';
import { DataPage } from '../../member/account/data-page.tsx';

export const Route = createLazyFileRoute('/_member/account/data')({ component: DataPage });
