import { createLazyFileRoute } from '@tanstack/react-router';
import { ChangeEmailPage } from '../visitor/change-email-page.tsx';
import { linkPage } from '../visitor/links/link-page.tsx';

export const Route = createLazyFileRoute('/change-email')({ component: linkPage(ChangeEmailPage) });
