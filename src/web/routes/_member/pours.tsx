import { createFileRoute } from '@tanstack/react-router';
import { PoursScreen } from '../../features/pours/pours-screen.tsx';

export const Route = createFileRoute('/_member/pours')({ component: PoursScreen });
