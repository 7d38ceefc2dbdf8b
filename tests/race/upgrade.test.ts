import { describe, expect, it } from 'vitest';
import { createTestApp, PASSWORD } from '../support/harness/app.ts';
import { testClock } from '../support/harness/clock.ts';
import { createEmptyDatabase } from '../support/harness/postgres.ts';
import { command } from '../support/harness/postgres-server.ts';
import { readHeld, readReleases } from '../support/upgrades/releases.ts';

const releases = readReleases();

describe.each(releases)('a dump of $version on a Postgres server', (release) => {
  it('opens, migrates, and has the same member, balance and ledger', async () => {
    const database = await createEmptyDatabase();
    await command(database.url, release.dump());
    const app = await createTestApp({ databaseUrl: database.url, clock: testClock(release.now) });
    const staff = app.visitor();
    await staff.must('POST', '/api/auth/sign-in', { email: release.staff_email, password: PASSWORD });
    expect(await readHeld(staff, release.customer_id)).toEqual(release.holds);
    await app.close();
    await database.drop();
  });
});

it('there is a release to open', () => expect(releases.length).toBeGreaterThan(0));
