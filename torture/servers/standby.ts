import { chownSync, cpSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serverOwner } from '../../tests/support/harness/postgres-server.ts';
import { type Cluster, openCluster, openQuery } from './cluster.ts';

export interface Standby extends Cluster {
  /** Makes the standby a primary; resolves when it accepts writes. */
  promote(): Promise<void>;
}

/** Files that belong to the running server only. */
const NOT_COPIED = ['postmaster.pid', 'postmaster.opts'];

/** Copies a running primary, and starts the copy as a standby that streams from it and answers queries. */
export async function startStandby(primary: Cluster): Promise<Standby> {
  const folder = mkdtempSync(join(tmpdir(), 'torture-standby-'));
  const data = join(folder, 'data');
  const { query, close } = await openQuery(primary.url);
  await query(`select pg_backup_start('standby', fast => true)`);
  mkdirSync(data, { mode: 0o700 });
  cpSync(primary.data, data, {
    recursive: true,
    preserveTimestamps: true,
    filter: (path) => !NOT_COPIED.some((name) => path.endsWith(`/${name}`)),
  });
  const [row] = await query('select labelfile from pg_backup_stop()');
  await close();
  writeFileSync(join(data, 'backup_label'), String(row?.labelfile));
  writeFileSync(join(data, 'standby.signal'), '');
  giveTo(serverOwner(), folder);
  const { port } = new URL(primary.url);
  const standby = await openCluster(folder, [
    `primary_conninfo=host=127.0.0.1 port=${port} user=postgres application_name=standby`,
  ]);
  return {
    ...standby,
    async promote() {
      const { query, close } = await openQuery(standby.url);
      await query('select pg_promote(wait => true)');
      await close();
    },
  };
}

function giveTo(owner: { uid: number; gid: number } | undefined, folder: string): void {
  if (!owner) return;
  chownSync(folder, owner.uid, owner.gid);
  for (const { name, parentPath } of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    chownSync(join(parentPath, name), owner.uid, owner.gid);
  }
}
