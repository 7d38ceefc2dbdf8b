import { createLazyFileRoute } from '@tanstack/react-router';
import { TabletPage } from '../visitor/tablet/tablet-page.tsx';

export const Route = createLazyFileRoute('/bar')({ component: TabletPage });
