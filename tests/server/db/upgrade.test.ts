import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openInMemory } from '../../../src/server/db/client.ts';
import { createTestApp, PASSWORD } from '../../support/harness/app.ts';
import { testClock } from '../../support/harness/clock.ts';
import { membersInEachState } from '../../support/upgrades/each-state.ts';
import { readHeld, readReleases } from '../../support/upgrades/releases.ts';

const releases = readReleases();
/** Versions before 1.0.0 are refused (migrate.test.ts). */
const UNREADABLE = ['0.1.0', '0.2.0'];

it('what every release wrote is stored: each version that has a date in CHANGELOG.md', () => {
  const changelog = readFileSync(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8');
  const released = [...changelog.matchAll(/^## \[([\d.]+)\] - \d{4}-\d\d-\d\d$/gm)].map(
    ([, version]) => version,
  );
  expect([...UNREADABLE, ...releases.map(({ version }) => version)].sort()).toEqual(released.sort());
});

describe.each(releases)('the embedded database of $version', (release) => {
  it('opens, migrates, and holds the same members, with their standing, balance and ledger', async () => {
    const app = await createTestApp({
      database: await openInMemory(release.dataFolder()),
      clock: testClock(release.now),
    });
    const staff = app.visitor();
    await staff.must('POST', '/api/auth/sign-in', { email: release.staff_email, password: PASSWORD });
    expect(await readHeld(staff, release.customers)).toEqual(release.holds);
    await app.close();
  });
});

it('a release’s data has a member in each state', async () => {
  const app = await createTestApp();
  const { staff, customers } = await membersInEachState(app);
  const held = await readHeld(staff, customers);
  const standings = Object.entries(held).map(([state, { standing }]) => [state, standing]);
  expect(Object.fromEntries(standings)).toEqual({
    active: 'active',
    ending: 'ending',
    grace: 'grace',
    paused: 'paused',
    suspended: 'suspended',
    ended: 'ended',
    venue: 'venue',
    inactive: 'inactive',
    gift: 'venue',
    holder: 'active',
    partner: 'active',
    disputed: 'active',
  });
  expect(held.disputed).toMatchObject({ disputed: true });
  expect(held.gift).toMatchObject({ is_gift: true });
  await app.close();
});
