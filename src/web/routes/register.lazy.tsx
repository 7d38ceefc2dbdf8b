import { createLazyFileRoute } from '@tanstack/react-router';
import { RegisterPage } from '../visitor/register-page.tsx';

export const Route = createLazyFileRoute('/register')({ component: Register });

function Register() {
  return <RegisterPage redirect={Route.useSearch().redirect} />;
}
