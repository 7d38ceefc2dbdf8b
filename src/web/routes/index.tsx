import { createFileRoute, redirect } from '@tanstack/react-router';
import { readTablet } from '../api/device/tablet.ts';

export const Route = createFileRoute('/')({
  beforeLoad: () => {
    throw redirect({ to: readTablet() ? '/bar' : '/login', replace: true });
  },
});
