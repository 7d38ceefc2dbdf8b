import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { PourDraft } from '../../../src/contract/pours.ts';
import { usePour } from '../../../src/web/staff/pours/use-pour.ts';
import { ada, bruno, recorded, stubStaffServer } from '../../support/web/staff-app.tsx';

const record = 'POST /api/pours';

/** A page without a form, whose button takes two taps before it is rendered again. */
function TwoTaps() {
  const { requestId, poured, record: pour } = usePour();
  const draft = { quantity: 1, location: 'bar' } as PourDraft;
  if (poured) return <p>Poured</p>;
  return (
    <button
      type="button"
      disabled={!requestId}
      onClick={() => {
        void pour(draft);
        void pour(draft);
      }}
    >
      Pour
    </button>
  );
}

function open() {
  const root = createRootRoute();
  const staff = createRoute({
    getParentRoute: () => root,
    id: '_staff',
    beforeLoad: () => ({ user: bruno }),
    component: TwoTaps,
  });
  const page = createRoute({ getParentRoute: () => staff, path: '/pour' });
  const history = createMemoryHistory({ initialEntries: ['/'] });
  history.replace('/pour', { customer: ada });
  const router = createRouter({ routeTree: root.addChildren([staff.addChildren([page])]), history });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider<typeof router> router={router} />
    </QueryClientProvider>,
  );
}

test('two taps before the first is rendered send one pour', async () => {
  const server = stubStaffServer({ [record]: () => recorded(6) });
  open();
  await userEvent.click(await screen.findByRole('button', { name: 'Pour' }));
  await screen.findByText('Poured');
  expect(server.made(record)).toHaveLength(1);
});

test('a pour with a network carries no time', async () => {
  const server = stubStaffServer({ [record]: () => recorded(6) });
  open();
  await userEvent.click(await screen.findByRole('button', { name: 'Pour' }));
  await screen.findByText('Poured');
  expect(server.made(record)[0]?.body).not.toHaveProperty('poured_at');
});
