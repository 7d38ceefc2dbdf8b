import { createFileRoute } from '@tanstack/react-router';
import { readListAddress } from '../../staff/members/list-address.ts';

export const Route = createFileRoute('/_staff/staff/members')({
  validateSearch: readListAddress,
});
