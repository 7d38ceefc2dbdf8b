import { createLazyFileRoute } from '@tanstack/react-router';
import { HelpPage } from '../visitor/help/help-page.tsx';

export const Route = createLazyFileRoute('/help/')({ component: HelpPage });
