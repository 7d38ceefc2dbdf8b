import { createLazyFileRoute } from '@tanstack/react-router';
import { ForgotPasswordPage } from '../visitor/forgot-password-page.tsx';

export const Route = createLazyFileRoute('/forgot-password')({ component: ForgotPasswordPage });
