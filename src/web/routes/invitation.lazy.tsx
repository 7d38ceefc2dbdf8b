import { createLazyFileRoute } from '@tanstack/react-router';
import { InvitationPage } from '../visitor/invitation-page.tsx';
import { linkPage } from '../visitor/links/link-page.tsx';

export const Route = createLazyFileRoute('/invitation')({ component: linkPage(InvitationPage) });
