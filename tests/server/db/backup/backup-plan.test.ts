import { describe, expect, it } from 'vitest';
import {
  backupMadeAt,
  backupName,
  backupsToDelete,
  isBackupDue,
} from '../../../../src/server/db/backup/backup-plan.ts';

describe('the name of a backup', () => {
  it('says when it was made, to the second, in UTC', () => {
    expect(backupName(new Date('2026-11-22T05:00:07.900Z'))).toBe('cellar-door-2026-11-22T050007Z.tar.gz');
    expect(backupMadeAt('cellar-door-2026-11-22T050007Z.tar.gz')).toEqual(new Date('2026-11-22T05:00:07Z'));
  });

  it('of a Postgres server has another ending', () => {
    const name = backupName(new Date('2026-11-22T05:00:07Z'), '1.1.0', 'dump');
    expect(name).toBe('cellar-door-2026-11-22T050007Z-before-1.1.0.dump');
    expect(backupMadeAt(name, 'dump')).toEqual(new Date('2026-11-22T05:00:07Z'));
    expect(backupMadeAt(name)).toBeNull();
  });

  it.each(['cellar-door.tar.gz', '.cellar-door-2026-11-22T050007Z.tar.gz.unfinished', 'notes.txt'])(
    '%s is not a backup',
    (name) => expect(backupMadeAt(name)).toBeNull(),
  );
});

describe('the daily backup', () => {
  const plan = { hour: 5, keepDays: 14, timeZone: 'Europe/Vienna' };
  // Vienna is an hour ahead of UTC in November.
  it.each([
    ['without any', null, '2026-11-22T12:00:00Z', true],
    ['before the hour, after the one of yesterday', '2026-11-21T04:01:00Z', '2026-11-22T03:59:00Z', false],
    ['at the hour', '2026-11-21T04:01:00Z', '2026-11-22T04:00:00Z', true],
    ['after the one of today', '2026-11-22T04:00:00Z', '2026-11-22T23:00:00Z', false],
    ['after two days off', '2026-11-20T04:00:00Z', '2026-11-22T20:00:00Z', true],
    ['after one by hand the night before', '2026-11-21T22:00:00Z', '2026-11-22T04:00:00Z', true],
  ])('%s', (_case, last, now, due) => {
    expect(isBackupDue(plan, last ? new Date(last) : null, new Date(now))).toBe(due);
  });

  it('is never due when none are kept', () => {
    expect(isBackupDue({ ...plan, keepDays: 0 }, null, new Date())).toBe(false);
  });
});

describe('old backups', () => {
  const of = (day: number, hour = 5) => backupName(new Date(Date.UTC(2026, 10, day, hour)));

  it('are counted by days, not by number: a day with many keeps them all, and is one day', () => {
    const names = [of(1), of(2), of(5, 5), of(5, 9), of(5, 22), of(6)];
    expect(backupsToDelete(names, 2)).toEqual([of(1), of(2)]);
    expect(backupsToDelete(names, 3)).toEqual([of(1)]);
  });

  it('are kept after a gap, as long as there are no newer days', () => {
    expect(backupsToDelete([of(1), of(2), of(28)], 14)).toEqual([]);
  });

  it('include only files that we named', () => {
    const dump = backupName(new Date('2026-10-01T05:00:00Z'), undefined, 'dump');
    expect(backupsToDelete(['before the upgrade.tar.gz', dump, of(1), of(2)], 1)).toEqual([of(1)]);
  });

  it('are all kept with 0', () => {
    expect(backupsToDelete([of(1), of(2)], 0)).toEqual([]);
  });
});
