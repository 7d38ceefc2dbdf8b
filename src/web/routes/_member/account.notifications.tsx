import { createFileRoute } from '@tanstack/react-router';
import { NotificationsPage } from '../../member/account/notifications-page.tsx';

export const Route = createFileRoute('/_member/account/notifications')({ component: NotificationsPage });
