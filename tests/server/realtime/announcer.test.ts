import { expect, it } from 'vitest';
import { createAnnouncer } from '../../../src/server/realtime/announcer.ts';

it('sends the announcements of a moment in one statement, each once', async () => {
  const sent: string[][] = [];
  const announcer = createAnnouncer(async (announcements) => sent.push(announcements));
  for (const one of ['pours a', 'pours b', 'pours a']) announcer.add(one);
  await announcer.close();
  expect(sent).toEqual([['pours a', 'pours b']]);
});

it('sends one statement at a time: later announcements go with the next', async () => {
  const sent: string[][] = [];
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  const announcer = createAnnouncer(async (announcements) => {
    sent.push(announcements);
    if (sent.length > 1) return second.resolve();
    first.resolve();
    for (const one of ['pours b', 'pours c']) announcer.add(one);
  });
  announcer.add('pours a');
  await first.promise;
  await second.promise;
  await announcer.close();
  expect(sent).toEqual([['pours a'], ['pours b', 'pours c']]);
});

it('continues after a failed statement, and sends at once what arrives after closing began', async () => {
  const sent: string[][] = [];
  const announcer = createAnnouncer(async (announcements) => {
    sent.push(announcements);
    if (sent.length === 1) throw new Error('the database is away');
  });
  announcer.add('pours a');
  await announcer.close();
  announcer.add('pours b');
  await announcer.close();
  expect(sent).toEqual([['pours a'], ['pours b']]);
});
