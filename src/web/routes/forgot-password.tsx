import { createFileRoute } from '@tanstack/react-router';
import { ForgotPasswordScreen } from '../visitor/forgot-password-page.tsx';

export const Route = createFileRoute('/forgot-password')({ component: ForgotPasswordScreen });
