import { createFileRoute } from '@tanstack/react-router';
import { readReturn } from '../../visitor/oauth-return.ts';

export const Route = createFileRoute('/_member/account/security')({
  validateSearch: readReturn,
});
