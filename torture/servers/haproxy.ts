import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../tests/support/harness/free-port.ts';
import { needs, startDaemon } from './daemon.ts';

const PROGRAM = '/usr/sbin/haproxy';

/**
 * Debian's haproxy, which routes to the node that reports itself as the primary. Connections to a former primary are cut.
 */
export async function primaryProxy(nodes: { postgres: number; api: number }[]) {
  needs({ [PROGRAM]: 'haproxy' });
  const folder = mkdtempSync(join(tmpdir(), 'torture-haproxy-'));
  const port = await freePort();
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, configuration(nodes, port));
  chmodSync(folder, 0o755);
  const daemon = startDaemon([PROGRAM, '-db', '-f', file]);
  return {
    port,
    async close() {
      await daemon.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const configuration = (nodes: { postgres: number; api: number }[], port: number) => `
global
  maxconn 1000
defaults
  mode tcp
  timeout connect 2s
  timeout client 30m
  timeout server 30m
frontend database
  bind 127.0.0.1:${port}
  default_backend primary
backend primary
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map(({ postgres, api }, nth) => `  server n${nth} 127.0.0.1:${postgres} check port ${api}`).join('\n')}
`;
