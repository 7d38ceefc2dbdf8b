import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../tests/support/harness/free-port.ts';
import { serverOwner } from '../../tests/support/harness/postgres-server.ts';
import { killServer } from './cluster.ts';
import { type Daemon, needs, startDaemon, until } from './daemon.ts';

const BIN = '/usr/lib/postgresql/15/bin';

interface Node {
  name: string;
  postgres: number;
  api: number;
  daemon: Daemon | null;
}

export interface PatroniCluster {
  nodes: { postgres: number; api: number }[];
  primary(): Promise<string>;
  /** Kills Patroni and Postgres at once, like a dying machine. */
  killMachine(name: string): Promise<void>;
  /** Kills only Postgres; Patroni is still running to notice. */
  killPostgres(name: string): Promise<void>;
  revive(name: string): Promise<void>;
  /** Resolves when a primary has a synchronous standby, and every node runs. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

const HEALTHY_MS = 120_000;

/**
 * A commit is acknowledged once a second node has it (synchronous_mode_strict), and only such a node can become primary. A
 * dead primary is replaced when its lease of 20 seconds, the shortest that Patroni allows, has expired; if only its
 * Postgres died, at once.
 */
const configuration = (node: Node, folder: string, etcd: number) => `
scope: cellar
name: ${node.name}
restapi: { listen: '127.0.0.1:${node.api}', connect_address: '127.0.0.1:${node.api}' }
etcd3: { hosts: '127.0.0.1:${etcd}' }
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 2
    retry_timeout: 4
    primary_start_timeout: 0
    maximum_lag_on_failover: 1048576
    synchronous_mode: true
    synchronous_mode_strict: true
    postgresql:
      use_pg_rewind: true
      parameters:
        max_connections: 100
        shared_buffers: 32MB
        wal_log_hints: 'on'
        hot_standby: 'on'
        log_min_messages: fatal
  initdb: [{ encoding: UTF8 }, { locale: C }, data-checksums]
postgresql:
  listen: '127.0.0.1:${node.postgres}'
  connect_address: '127.0.0.1:${node.postgres}'
  data_dir: '${folder}/${node.name}'
  bin_dir: '${BIN}'
  pgpass: '${folder}/${node.name}.pgpass'
  pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust', 'local all all trust']
  authentication:
    superuser: { username: postgres, password: loopback }
    replication: { username: replicator, password: loopback }
    rewind: { username: postgres, password: loopback }
  parameters: { unix_socket_directories: '${folder}' }
`;

export async function startPatroni(count: number): Promise<PatroniCluster> {
  needs({
    '/usr/bin/patroni': 'patroni',
    '/usr/bin/etcd': 'etcd-server',
    [`${BIN}/postgres`]: 'postgresql-15',
  });
  const folder = mkdtempSync(join(tmpdir(), 'torture-patroni-'));
  const owner = serverOwner();
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const [client, peer] = [await freePort(), await freePort()];
  const [clientUrl, peerUrl] = [`http://127.0.0.1:${client}`, `http://127.0.0.1:${peer}`];
  const flags = {
    'data-dir': join(folder, 'etcd'),
    'listen-client-urls': clientUrl,
    'advertise-client-urls': clientUrl,
    'listen-peer-urls': peerUrl,
    'initial-advertise-peer-urls': peerUrl,
    'initial-cluster': `default=${peerUrl}`,
    'log-level': 'error',
  };
  const etcd = startDaemon([
    '/usr/bin/etcd',
    ...Object.entries(flags).map(([name, value]) => `--${name}=${value}`),
  ]);
  await until('etcd answers', HEALTHY_MS, async () => (await fetch(`${clientUrl}/health`)).ok);

  const nodes: Node[] = [];
  for (let nth = 0; nth < count; nth++) {
    nodes.push({ name: `node${nth}`, postgres: await freePort(), api: await freePort(), daemon: null });
  }
  const byName = (name: string): Node => {
    const node = nodes.find((it) => it.name === name);
    if (!node) throw new Error(`There is no ${name}`);
    return node;
  };
  const start = (node: Node) => {
    const file = join(folder, `${node.name}.yml`);
    writeFileSync(file, configuration(node, folder, client));
    mkdirSync(join(folder, node.name), { recursive: true, mode: 0o700 });
    if (owner) chownSync(join(folder, node.name), owner.uid, owner.gid);
    node.daemon = startDaemon(['/usr/bin/patroni', file], { HOME: folder });
  };
  const isRole = async (node: Node, role: string) =>
    (
      await fetch(`http://127.0.0.1:${node.api}/${role}`, { signal: AbortSignal.timeout(2_000) }).catch(
        () => null,
      )
    )?.ok ?? false;

  const cluster: PatroniCluster = {
    nodes: nodes.map(({ postgres, api }) => ({ postgres, api })),
    async primary() {
      for (const node of nodes) if (await isRole(node, 'primary')) return node.name;
      throw new Error('No node is the primary');
    },
    async killMachine(name) {
      await byName(name).daemon?.kill();
      await killServer(join(folder, name));
    },
    async killPostgres(name) {
      await killServer(join(folder, byName(name).name));
    },
    revive: async (name) => start(byName(name)),
    settled: () =>
      until('every node runs, and one is a synchronous standby', HEALTHY_MS, async () => {
        const primaries = await Promise.all(nodes.map((it) => isRole(it, 'primary')));
        const standbys = await Promise.all(nodes.map((it) => isRole(it, 'replica')));
        const synchronous = await Promise.all(nodes.map((it) => isRole(it, 'synchronous')));
        const isCount = (values: boolean[], count: number) => values.filter(Boolean).length === count;
        return isCount(primaries, 1) && isCount(standbys, count - 1) && synchronous.includes(true);
      }),
    async close() {
      await Promise.all(nodes.map(({ name }) => cluster.killMachine(name)));
      await etcd.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    for (const node of nodes) start(node);
    await cluster.settled();
  } catch (error) {
    const outputs = nodes.map(({ name, daemon }) => `${name}: ${daemon?.output().slice(-2_000)}`);
    await cluster.close();
    throw new Error(`Patroni did not start.\n${outputs.join('\n')}`, { cause: error });
  }
  return cluster;
}
