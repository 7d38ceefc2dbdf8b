import { createLazyFileRoute } from '@tanstack/react-router';
import { QrCodePage } from '../../member/card/qr-code-page.tsx';

export const Route = createLazyFileRoute('/_member/qr-code')({ component: QrCodePage });
