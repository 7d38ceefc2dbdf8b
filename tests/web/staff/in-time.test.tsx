import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { currentUser, forgetSession } from '../../../src/web/api/session.ts';
import {
  type Answer,
  ada,
  adaAtBar,
  bruno,
  openStaffApp,
  recorded,
  refusal,
  stubStaffServer,
} from '../../support/web/staff-app.tsx';

const VERIFY = 'POST /api/functions/verify-qr-token';
const PAGE = (status = 200) =>
  new Response('<html>Accept the terms</html>', { status, headers: { 'content-type': 'text/html' } });
const TOKEN = 'AZrC3kVRd7qKq83vASNFZ2kpAAd3Yg5mT2xQk1Zo';

beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue();
  forgetSession();
});

/** A server that never answers one call, and a clock that ends each wait when `end` is called. */
function silentServer(call: string, answers: Record<string, Answer> = {}) {
  const server = stubStaffServer({ ...answers, [call]: () => new Promise(() => undefined) });
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
    expect(longest()).toBe(8000);
    for (const [, controller] of waits) controller.abort(new DOMException('too late', 'TimeoutError'));
  };
  const longest = () => Math.max(...waits.map(([milliseconds]) => milliseconds));
  return { server, end };
}

async function verifyByHand() {
  openStaffApp('/staff/search');
  await userEvent.click(await screen.findByRole('button', { name: 'Enter Code Manually' }));
  await userEvent.click(screen.getByPlaceholderText('Paste QR code here...'));
  await userEvent.paste(TOKEN);
  await userEvent.click(screen.getByRole('button', { name: 'Verify Code' }));
}

test('a verification without an answer ends within 8 s and says what to do', async () => {
  const { server, end } = silentServer(VERIFY);
  await verifyByHand();
  await waitFor(() => expect(server.made(VERIFY)).toHaveLength(1));
  end();
  await screen.findByText('Failed to verify QR code');
  await screen.findAllByText('No answer from our server. Check the connection, then scan again.');
  await screen.findByRole('button', { name: 'Verify Code' });
});

test.each([200, 403, 511])(
  "a captive portal's page of status %i is no connection, not an invalid code",
  async (status) => {
    stubStaffServer({ [VERIFY]: () => PAGE(status) });
    await verifyByHand();
    await screen.findByText('Failed to verify QR code');
    await screen.findAllByText('No answer from our server. Check the connection, then scan again.');
    expect(screen.queryByText('Invalid or expired QR code')).toBeNull();
  },
);

test('a list of members without an answer ends with Try Again, without a second wait', async () => {
  const { server, end } = silentServer('GET /api/customers');
  openStaffApp('/staff/dashboard');
  await waitFor(() => expect(server.made('GET /api/customers')).toHaveLength(1));
  end();
  await screen.findByRole('button', { name: 'Try Again' });
  expect(server.made('GET /api/customers')).toHaveLength(1);
});

const SIGN_UP = '0197b1f0-0000-7000-8000-0000000000a1';
const FOLLOW = `GET /api/bar-sign-ups/${SIGN_UP}`;
const signUp = {
  application_id: SIGN_UP,
  user_id: adaAtBar.user_id,
  first_name: 'Ada',
  last_name: 'Vine',
  email: 'ada@demo.test',
  tier: 'premier',
  state: 'expired',
  expires_at: '2026-03-01T10:00:00.000Z',
  customer_id: null,
};
const manager = { 'GET /api/session': () => ({ user: { ...bruno, permissions: ['manage_members'] } }) };
const openPaymentStep = () => openStaffApp(`/staff/members/new?application=${SIGN_UP}`);

describe('paying in Add Member', () => {
  test('a sign-up without an answer ends within 8 s with Try Again', async () => {
    const { server, end } = silentServer(FOLLOW, manager);
    openPaymentStep();
    await waitFor(() => expect(server.made(FOLLOW)).toHaveLength(1));
    end();
    await screen.findByText('Please check your connection and try again.');
    await screen.findByRole('button', { name: 'Try Again' });
  });

  test('a new code without an answer ends within 8 s, and can be pressed again', async () => {
    const RENEW = `POST /api/bar-sign-ups/${SIGN_UP}/link`;
    const { server, end } = silentServer(RENEW, { ...manager, [FOLLOW]: () => signUp });
    openPaymentStep();
    await userEvent.click(await screen.findByRole('button', { name: 'Show a New Code' }));
    await waitFor(() => expect(server.made(RENEW)).toHaveLength(1));
    end();
    await screen.findByText('We couldn’t create the code. Please try again.');
    await screen.findByRole('button', { name: 'Show a New Code' });
  });

  test('a payment at the till without an answer ends within 8 s, and says that it may be done', async () => {
    const APPROVE = `POST /api/applications/${SIGN_UP}/approve`;
    const { server, end } = silentServer(APPROVE, {
      ...manager,
      [FOLLOW]: () => signUp,
      'GET /api/tiers/premier': () => refusal(404, 'NOT_FOUND', 'Not found.'),
    });
    openPaymentStep();
    await userEvent.click(await screen.findByRole('button', { name: 'Paid at the Till' }));
    await userEvent.type(screen.getByLabelText('Toast Reference Number *'), 'T-1');
    await userEvent.click(screen.getByRole('button', { name: 'Approve & Create Membership' }));
    await waitFor(() => expect(server.made(APPROVE)).toHaveLength(1));
    end();
    await screen.findByText('Failed to approve application');
    await screen.findByText(/^No answer from our server\. Check the connection, then try again/);
  });
});

test('an undo without an answer ends within 8 s, and says that it may be done', async () => {
  const VOID = `POST /api/pours/${recorded(6).pour.id}/void`;
  const { server, end } = silentServer(VOID);
  openStaffApp(`/staff/customers/${ada.id}/add-pour`, {
    customer: ada,
    request_id: SIGN_UP,
    poured: {
      quantity: 1,
      location: 'bar',
      pour_id: recorded(6).pour.id,
      undo_until: Date.now() + 10_000,
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: /^Undo/ }));
  await waitFor(() => expect(server.made(VOID)).toHaveLength(1));
  end();
  await screen.findByText(/^No answer from our server\. It may be undone already/);
});

test.each([
  ['/staff/customers/', 'GET /api/customers/', ''],
  ['/staff/customers/', 'GET /api/customers/', '/add-pour'],
])('a page of a member without an answer stops loading within 8 s', async (path, call, page) => {
  const silent = `${call}${ada.id}${page && '/bar'}`;
  const { server, end } = silentServer(silent);
  openStaffApp(`${path}${ada.id}${page}`, { customer: ada });
  await waitFor(() => expect(server.made(silent)).toHaveLength(1));
  end();
  if (page) await screen.findByRole('button', { name: 'Pour 1' });
  else await screen.findByText('Please check your connection and try again.');
});

describe('signing in', () => {
  const SIGN_IN = 'POST /api/auth/sign-in';
  const visitor = { 'GET /api/session': () => ({ user: null }) };
  const signIn = async () => {
    openStaffApp('/login');
    await userEvent.type(await screen.findByLabelText('Email'), 'bruno@demo.test');
    await userEvent.type(screen.getByLabelText('Password'), 'cellar-door{Enter}');
  };
  const readNoAnswer = async () => {
    const alert = await screen.findByRole('alert');
    within(alert).getByText('Error signing in');
    within(alert).getByText('No answer from our server: check the connection.');
  };

  test('ends within 8 s without an answer', async () => {
    const { server, end } = silentServer(SIGN_IN, visitor);
    await signIn();
    await waitFor(() => expect(server.made(SIGN_IN)).toHaveLength(1));
    end();
    await readNoAnswer();
  });

  test.each(['text/html', 'TEXT/HTML; charset=utf-8', 'application/xhtml+xml', 'text/plain'])(
    "takes a captive portal's page of type %s for no connection",
    async (type) => {
      stubStaffServer({
        ...visitor,
        [SIGN_IN]: () => new Response('<html>Accept the terms</html>', { headers: { 'content-type': type } }),
      });
      await signIn();
      await readNoAnswer();
    },
  );
});

test('the session without an answer ends within 8 s', async () => {
  const { server, end } = silentServer('GET /api/session');
  const session = currentUser();
  await waitFor(() => expect(server.made('GET /api/session')).toHaveLength(1));
  end();
  await expect(session).rejects.toThrow();
  expect(server.made('GET /api/session')).toHaveLength(1);
});
