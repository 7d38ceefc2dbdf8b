import { createLazyFileRoute } from '@tanstack/react-router';
import { AtRiskPage } from '../../staff/at-risk/at-risk-page.tsx';

export const Route = createLazyFileRoute('/_staff/staff/at-risk')({ component: AtRiskPage });
