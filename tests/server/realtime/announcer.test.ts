import { expect, it } from 'vitest';
import { createAnnouncer } from '../../../src/server/realtime/announcer.ts';

it('sends the announcements of a moment in one payload, each once', async () => {
  const sent: string[][] = [];
  const announcer = createAnnouncer(async (payloads) => sent.push(payloads));
  for (const one of ['pours a', 'pours b', 'pours a']) announcer.add(one);
  await announcer.close();
  expect(sent).toEqual([['pours a\npours b']]);
});

it('sends one statement at a time: later announcements go with the next', async () => {
  const sent: string[][] = [];
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  const announcer = createAnnouncer(async (payloads) => {
    sent.push(payloads);
    if (sent.length > 1) return second.resolve();
    first.resolve();
    for (const one of ['pours b', 'pours c']) announcer.add(one);
  });
  announcer.add('pours a');
  await first.promise;
  await second.promise;
  await announcer.close();
  expect(sent).toEqual([['pours a'], ['pours b\npours c']]);
});

it('continues after a failed statement, and sends at once what arrives after closing began', async () => {
  const sent: string[][] = [];
  const announcer = createAnnouncer(async (payloads) => {
    sent.push(payloads);
    if (sent.length === 1) throw new Error('the database is away');
  });
  announcer.add('pours a');
  await announcer.close();
  announcer.add('pours b');
  await announcer.close();
  expect(sent).toEqual([['pours a'], ['pours b']]);
});

it('starts another payload where one would be longer than Postgres takes, and loses none', async () => {
  const sent: string[][] = [];
  const announcer = createAnnouncer(async (payloads) => sent.push(payloads));
  // Three bytes for each of the last characters.
  const announcements = Array.from({ length: 300 }, (_, n) => `pours ${n} ${'→'.repeat(30)}`);
  for (const one of announcements) announcer.add(one);
  await announcer.close();
  const [payloads = []] = sent;
  expect(payloads.length).toBe(4);
  expect(payloads.every((it) => Buffer.byteLength(it) < 8_000)).toBe(true);
  expect(payloads.flatMap((it) => it.split('\n'))).toEqual(announcements);
});
