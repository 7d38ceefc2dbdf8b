import { createFileRoute } from '@tanstack/react-router';
import { HouseholdPage } from '../../member/sharing/household-page.tsx';

export const Route = createFileRoute('/_member/household')({ component: HouseholdPage });
