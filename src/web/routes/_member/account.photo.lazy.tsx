import { createLazyFileRoute } from '@tanstack/react-router';
import { PhotoPage } from '../../member/account/photo-page.tsx';

export const Route = createLazyFileRoute('/_member/account/photo')({ component: PhotoPage });
