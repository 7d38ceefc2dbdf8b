import { createFileRoute } from '@tanstack/react-router';
import { QrCodePage } from '../../member/card/qr-code-page.tsx';

export const Route = createFileRoute('/_member/qr-code')({ component: QrCodePage });
