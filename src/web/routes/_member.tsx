import { createFileRoute } from '@tanstack/react-router';
import { requireMember } from '../app/route-guards.ts';

export const Route = createFileRoute('/_member')({
  beforeLoad: requireMember,
});
