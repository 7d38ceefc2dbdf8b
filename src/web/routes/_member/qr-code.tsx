import { createFileRoute } from '@tanstack/react-router';
import { QrCodeScreen } from '../../member/card/qr-code-page.tsx';

export const Route = createFileRoute('/_member/qr-code')({ component: QrCodeScreen });
