import { createFileRoute } from '@tanstack/react-router';
import { WinesPage } from '../../staff/wines/wines-page.tsx';

export const Route = createFileRoute('/_staff/staff/wines')({ component: WinesPage });
