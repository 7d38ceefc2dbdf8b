import { createFileRoute } from '@tanstack/react-router';
import { sendHomeWhenSignedIn } from '../app/route-guards.ts';

export const Route = createFileRoute('/bar')({
  beforeLoad: () => sendHomeWhenSignedIn({ search: {} }),
});
