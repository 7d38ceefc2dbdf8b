import { createLazyFileRoute } from '@tanstack/react-router';
import { TonightPage } from '../../member/wines/tonight-page.tsx';

export const Route = createLazyFileRoute('/_member/wines')({ component: TonightPage });
