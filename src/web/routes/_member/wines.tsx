import { createFileRoute } from '@tanstack/react-router';
import { TonightPage } from '../../member/wines/tonight-page.tsx';

export const Route = createFileRoute('/_member/wines')({ component: TonightPage });
