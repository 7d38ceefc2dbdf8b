import { createLazyFileRoute } from '@tanstack/react-router';
import { GuestPage } from '../visitor/guest-page.tsx';
import { linkPage } from '../visitor/links/link-page.tsx';

export const Route = createLazyFileRoute('/guest')({ component: linkPage(GuestPage) });
