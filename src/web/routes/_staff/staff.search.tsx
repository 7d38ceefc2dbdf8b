import { createFileRoute } from '@tanstack/react-router';
import { CardSearchPage } from '../../features/scanner/card-search-page.tsx';

export const Route = createFileRoute('/_staff/staff/search')({ component: CardSearchPage });
