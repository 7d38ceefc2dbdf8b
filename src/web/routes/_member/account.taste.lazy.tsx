import { createLazyFileRoute } from '@tanstack/react-router';
import { TastePage } from '../../member/account/taste-page.tsx';

export const Route = createLazyFileRoute('/_member/account/taste')({ component: TastePage });
