import { describe, expect, it } from 'vitest';
import type { BarCard } from '../../../src/contract/members.ts';
import { STAFF_PERMISSIONS } from '../../../src/domain/staff/staff-permission.ts';
import { openInMemory } from '../../../src/server/db/client.ts';
import { tier_rollover } from '../../../src/server/db/schema.ts';
import { createTestApp, PASSWORD } from '../../support/harness/app.ts';
import { testClock } from '../../support/harness/clock.ts';
import { readHeld, readReleases } from '../../support/upgrades/releases.ts';

const releases = readReleases();

describe.each(releases)('the embedded database of $version', (release) => {
  it('opens, migrates, and holds the same member, balance and ledger', async () => {
    const app = await createTestApp({
      database: await openInMemory(release.dataFolder()),
      clock: testClock(release.now),
    });
    const staff = app.visitor();
    await staff.must('POST', '/api/auth/sign-in', { email: release.staff_email, password: PASSWORD });
    expect(await readHeld(staff, release.customer_id)).toEqual(release.holds);
    // Staff from before there were permissions could do everything.
    expect(await staff.must('GET', '/api/session')).toMatchObject({
      user: { permissions: [...STAFF_PERMISSIONS] },
    });
    await app.close();
  });

  it('lets glasses of the month that was running roll over, once its tier lets any', async () => {
    const clock = testClock(release.now);
    const app = await createTestApp({ database: await openInMemory(release.dataFolder()), clock });
    const staff = app.visitor();
    await staff.must('POST', '/api/auth/sign-in', { email: release.staff_email, password: PASSWORD });
    const rolled_over = async () =>
      (await staff.must<BarCard>('GET', `/api/customers/${release.customer_id}/bar`)).rolled_over;
    clock.advance({ days: 1 });
    await staff.must('PATCH', '/api/tier-settings/select', { rollover_glasses: 2 });
    expect(await readHeld(staff, release.customer_id)).toEqual(release.holds);
    clock.advance({ days: 30 });
    expect(await rolled_over(), 'the month began before it was set').toBeNull();
    await app.services.db
      .insert(tier_rollover)
      .values({ tier_name: 'select', since: new Date(0), glasses: 2 });
    expect(await rolled_over()).toMatchObject({ left: 2 });
    await app.close();
  });
});

it('there is a release to open', () => expect(releases.length).toBeGreaterThan(0));
