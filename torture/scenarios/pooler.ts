import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../tests/support/harness/free-port.ts';
import { serverOwner } from '../../tests/support/harness/postgres-server.ts';
import type { TortureOptions } from '../options.ts';
import type { Progress } from '../report.ts';
import { openQuery } from '../servers/cluster.ts';
import { needs, startDaemon, until } from '../servers/daemon.ts';
import { raceOn } from './race.ts';

const PROGRAM = '/usr/sbin/pgbouncer';

/** The race again, with PgBouncer in transaction mode between the servers and Postgres, migrations included. */
export const pooler = {
  defaults: { rounds: 2_000, seconds: 600, seed: 1 },
  run: (options: TortureOptions, progress: Progress) => raceOn(options, progress, throughPgBouncer),
};

/** The settings that docs/run/grow.md names. Six connections for the servers' thirty, so that they are shared. */
const configuration = (target: URL, port: number) => `
[databases]
postgres = host=${target.hostname} port=${target.port} dbname=postgres user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
auth_type = any
pool_mode = transaction
default_pool_size = 6
max_client_conn = 200
ignore_startup_parameters = statement_timeout, idle_in_transaction_session_timeout, options
unix_socket_dir =
`;

async function throughPgBouncer(url: string) {
  needs({ [PROGRAM]: 'pgbouncer' });
  const folder = mkdtempSync(join(tmpdir(), 'torture-pgbouncer-'));
  const owner = serverOwner();
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const target = new URL(url);
  const port = await freePort();
  writeFileSync(join(folder, 'pgbouncer.ini'), configuration(target, port));
  const daemon = startDaemon([PROGRAM, join(folder, 'pgbouncer.ini')]);
  const through = new URL(url);
  through.port = String(port);
  await until('PgBouncer answers', 10_000, async () => {
    const { query, close } = await openQuery(through.href);
    await query('select 1');
    await close();
    return true;
  });
  return {
    url: through.href,
    async close() {
      await daemon.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
