import { createFileRoute } from '@tanstack/react-router';
import { CardSearchPage } from '../../staff/scanner/verify-page.tsx';

export const Route = createFileRoute('/_staff/staff/search')({ component: CardSearchPage });
