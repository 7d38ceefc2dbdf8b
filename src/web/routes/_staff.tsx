import { createFileRoute } from '@tanstack/react-router';
import { requireStaff } from '../app/route-guards.ts';

export const Route = createFileRoute('/_staff')({
  beforeLoad: requireStaff,
});
