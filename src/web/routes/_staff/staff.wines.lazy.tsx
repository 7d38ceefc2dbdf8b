import { createLazyFileRoute } from '@tanstack/react-router';
import { WinesPage } from '../../staff/wines/wines-page.tsx';

export const Route = createLazyFileRoute('/_staff/staff/wines')({ component: WinesPage });
