import { createLazyFileRoute } from '@tanstack/react-router';
import { linkPage } from '../visitor/links/link-page.tsx';
import { ResetPasswordPage } from '../visitor/reset-password-page.tsx';

export const Route = createLazyFileRoute('/reset-password')({ component: linkPage(ResetPasswordPage) });
