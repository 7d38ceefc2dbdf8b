import { createFileRoute } from '@tanstack/react-router';
import { readRedirect } from '../visitor/landing.ts';

export const Route = createFileRoute('/two-factor')({
  validateSearch: readRedirect,
});
