import { createFileRoute } from '@tanstack/react-router';
import { QrCodeScreen } from '../../features/card/qr-code-screen.tsx';

export const Route = createFileRoute('/_member/qr-code')({ component: QrCodeScreen });
