import { createLazyFileRoute } from '@tanstack/react-router';
import { linkPage } from '../visitor/links/link-page.tsx';
import { SetupPage } from '../visitor/setup-page.tsx';

export const Route = createLazyFileRoute('/setup')({ component: linkPage(SetupPage) });
