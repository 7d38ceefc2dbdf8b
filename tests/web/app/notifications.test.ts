import { beforeAll, beforeEach, expect, test, vi } from 'vitest';

/** The notifications that the service worker requested. */
const shown: { title: string; options: Record<string, unknown> }[] = [];
const opened: string[] = [];
let windows: { focus(): Promise<void>; navigate(url: string): Promise<void> }[] = [];
const listeners = new Map<string, (event: unknown) => void>();

beforeAll(async () => {
  const worker = {
    location: new URL('https://club.example/service-worker.js'),
    addEventListener: (type: string, listener: (event: unknown) => void) => listeners.set(type, listener),
    registration: {
      showNotification: async (title: string, options: Record<string, unknown>) => {
        shown.push({ title, options });
      },
    },
    clients: {
      matchAll: async () => windows,
      openWindow: async (url: string) => void opened.push(url),
    },
  };
  vi.stubGlobal('self', worker);
  vi.stubGlobal('__SHELL__', { version: '1', files: [], staffFiles: [] });
  await import('../../../src/web/app/service-worker.ts');
});
beforeEach(() => {
  shown.length = 0;
  opened.length = 0;
  windows = [];
});

/** Lets the worker handle an event, and waits for its pending work. */
async function happen(type: string, event: object): Promise<void> {
  let work: unknown;
  const waitUntil = (promise: unknown) => {
    work = promise;
  };
  listeners.get(type)?.({ ...event, waitUntil });
  await work;
}

const tap = (data: unknown) => happen('notificationclick', { notification: { data, close: vi.fn() } });

test('a message is shown as sent, and replaces the last one of its kind', async () => {
  const message = {
    tag: 'glasses_left',
    title: 'Cellar Door',
    body: 'You have pours left.',
    path: '/dashboard',
  };
  await happen('push', { data: { json: () => message } });
  expect(shown).toMatchObject([
    {
      title: 'Cellar Door',
      options: { tag: 'glasses_left', body: 'You have pours left.', data: '/dashboard' },
    },
  ]);
});

test('a message without text still shows a notification, as browsers require', async () => {
  await happen('push', { data: null });
  expect(shown).toHaveLength(1);
});

test('a tap opens its page, in an open window of the app if there is one', async () => {
  await tap('/account');
  expect(opened).toEqual(['https://club.example/account']);
  const went: string[] = [];
  windows = [{ focus: async () => undefined, navigate: async (url) => void went.push(url) }];
  await tap('/dashboard');
  expect(went).toEqual(['https://club.example/dashboard']);
  expect(opened).toHaveLength(1);
});

test.each(['https://evil.example/', '//evil.example/', 'javascript:alert(1)'])(
  'a tap never leaves the app: %s',
  async (path) => {
    await tap(path);
    expect(opened).toEqual(['/']);
  },
);
