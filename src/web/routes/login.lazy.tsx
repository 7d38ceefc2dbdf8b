import { createLazyFileRoute } from '@tanstack/react-router';
import { LoginPage } from '../visitor/login-page.tsx';

export const Route = createLazyFileRoute('/login')({ component: Login });

function Login() {
  return <LoginPage {...Route.useSearch()} />;
}
