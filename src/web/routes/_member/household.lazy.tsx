import { createLazyFileRoute } from '@tanstack/react-router';
import { HouseholdPage } from '../../member/sharing/household-page.tsx';

export const Route = createLazyFileRoute('/_member/household')({ component: HouseholdPage });
