import { createFileRoute } from '@tanstack/react-router';
import { sendHomeWhenSignedIn } from '../app/route-guards.ts';
import { readRedirect } from '../visitor/landing.ts';

export const Route = createFileRoute('/register')({
  validateSearch: readRedirect,
  beforeLoad: sendHomeWhenSignedIn,
});
