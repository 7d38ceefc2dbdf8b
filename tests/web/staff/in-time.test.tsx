import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { openStaffApp, stubStaffServer } from '../../support/web/staff-app.tsx';

const VERIFY = 'POST /api/functions/verify-qr-token';
const PAGE = () =>
  new Response('<html>Accept the terms</html>', { headers: { 'content-type': 'text/html' } });
const TOKEN = 'AZrC3kVRd7qKq83vASNFZ2kpAAd3Yg5mT2xQk1Zo';

beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue();
});

/** A server that never answers one call, and a clock that ends each wait when `end` is called. */
function silentServer(call: string) {
  const server = stubStaffServer({ [call]: () => new Promise(() => undefined) });
  const waits: [number, AbortController][] = [];
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    const controller = new AbortController();
    waits.push([milliseconds, controller]);
    return controller.signal;
  });
  const answer = globalThis.fetch;
  vi.stubGlobal('fetch', (input: Request, init?: RequestInit) => {
    const signal = init?.signal ?? input.signal;
    const ended = new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    return Promise.race([answer(input, init), ended]);
  });
  const end = () => {
    for (const [, controller] of waits) controller.abort(new DOMException('too late', 'TimeoutError'));
  };
  return { server, end, longest: () => Math.max(...waits.map(([milliseconds]) => milliseconds)) };
}

async function verifyByHand() {
  openStaffApp('/staff/search');
  await userEvent.click(await screen.findByRole('button', { name: 'Enter Code Manually' }));
  await userEvent.click(screen.getByPlaceholderText('Paste QR code here...'));
  await userEvent.paste(TOKEN);
  await userEvent.click(screen.getByRole('button', { name: 'Verify Code' }));
}

test('a verification without an answer ends within 8 s and says what to do', async () => {
  const { server, end, longest } = silentServer(VERIFY);
  await verifyByHand();
  await waitFor(() => expect(server.made(VERIFY)).toHaveLength(1));
  expect(longest()).toBe(8000);
  end();
  await screen.findByText('Failed to verify QR code');
  await screen.findAllByText('No answer from our server. Check the connection, then scan again.');
  await screen.findByRole('button', { name: 'Verify Code' });
});

test("a captive portal's page is no connection, not an invalid code", async () => {
  stubStaffServer({ [VERIFY]: PAGE });
  await verifyByHand();
  await screen.findByText('Failed to verify QR code');
  await screen.findAllByText('No answer from our server. Check the connection, then scan again.');
  expect(screen.queryByText('Invalid or expired QR code')).toBeNull();
});

test('a list of members without an answer ends with Try Again, without a second wait', async () => {
  const { server, end } = silentServer('GET /api/customers');
  openStaffApp('/staff/dashboard');
  await waitFor(() => expect(server.made('GET /api/customers')).toHaveLength(1));
  end();
  await screen.findByRole('button', { name: 'Try Again' });
  expect(server.made('GET /api/customers')).toHaveLength(1);
});
