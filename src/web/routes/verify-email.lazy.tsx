import { createLazyFileRoute } from '@tanstack/react-router';
import { linkPage } from '../visitor/links/link-page.tsx';
import { VerifyEmailPage } from '../visitor/verify-email-page.tsx';

export const Route = createLazyFileRoute('/verify-email')({ component: linkPage(VerifyEmailPage) });
