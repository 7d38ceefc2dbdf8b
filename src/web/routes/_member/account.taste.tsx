import { createFileRoute } from '@tanstack/react-router';
import { TastePage } from '../../member/account/taste-page.tsx';

export const Route = createFileRoute('/_member/account/taste')({ component: TastePage });
