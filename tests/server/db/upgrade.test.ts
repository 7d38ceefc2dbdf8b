import { describe, expect, it } from 'vitest';
import { STAFF_PERMISSIONS } from '../../../src/domain/staff/staff-permission.ts';
import { openInMemory } from '../../../src/server/db/client.ts';
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
});

it('there is a release to open', () => expect(releases.length).toBeGreaterThan(0));
