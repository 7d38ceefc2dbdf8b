import { createLazyFileRoute } from '@tanstack/react-router';
import { NotificationsPage } from '../../member/account/notifications-page.tsx';

export const Route = createLazyFileRoute('/_member/account/notifications')({ component: NotificationsPage });
