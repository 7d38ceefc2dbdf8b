import { createFileRoute } from '@tanstack/react-router';
import { PhotoPage } from '../../member/account/photo-page.tsx';

export const Route = createFileRoute('/_member/account/photo')({ component: PhotoPage });
