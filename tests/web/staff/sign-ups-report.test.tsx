import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { bruno, openStaffApp, stubStaffServer } from '../../support/web/staff-app.tsx';

test('a colleague’s sign-ups are shown with who is still here, and how long they stayed', async () => {
  const points = [{ day: '2026-11-30', members: 2, tiers: { select: 2 }, standings: { venue: 2 } }];
  const sign_ups = [
    { staff_id: '1', name: 'Sam Bar', members: 9, still_members: 7, days_stayed: 122 },
    { staff_id: '2', name: 'Tea Bar', members: 1, still_members: 1, days_stayed: 1 },
  ];
  stubStaffServer({
    'GET /api/session': () => ({ user: { ...bruno, permissions: ['see_reports'] } }),
    'GET /api/reports/members': () => ({ step: 'day', points, sign_ups }),
  });
  openStaffApp('/staff/reports?view=members');
  const report = await screen.findByRole('region', { name: 'Sign-Ups by Colleague' });
  const rows = within(report)
    .getAllByRole('row')
    .map((row) => row.textContent);
  expect(rows).toEqual(['WhoJoinedStill hereStayed', 'Sam Bar974 months', 'Tea Bar111 day']);
});
