import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../tests/support/harness/free-port.ts';
import { type Daemon, needs, startDaemon } from './daemon.ts';

const PROGRAM = '/usr/sbin/haproxy';

export interface Proxy {
  port: number;
  close(): Promise<void>;
}

/** Debian's haproxy in front of a venue's servers, round robin; no session sticks to one of them. */
export function httpProxy(servers: string[]): Promise<Proxy> {
  return startProxy(
    (port) => `
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  option forwardfor if-none
frontend venue
  bind 127.0.0.1:${port}
  default_backend servers
backend servers
  balance roundrobin
  option httpchk GET /api/session
  http-check expect status 200
  # Another server gets a request again only if the first one never had it.
  retries 2
  option redispatch
  retry-on conn-failure
  default-server inter 500ms fall 2 rise 1
${servers.map((url, nth) => `  server s${nth} ${new URL(url).host} check`).join('\n')}
`,
  );
}

/** Routes to the node that says it is the primary; connections to a former primary are cut. */
export function primaryProxy(nodes: { postgres: number; api: number }[]): Promise<Proxy> {
  return startProxy(
    (port) => `
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
`,
  );
}

async function startProxy(sections: (port: number) => string): Promise<Proxy> {
  needs({ [PROGRAM]: 'haproxy' });
  const folder = mkdtempSync(join(tmpdir(), 'torture-haproxy-'));
  const port = await freePort();
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, `global\n  maxconn 1000\ndefaults\n${sections(port).replace(/^\n/, '')}`);
  chmodSync(folder, 0o755);
  const daemon: Daemon = startDaemon([PROGRAM, '-db', '-f', file]);
  return {
    port,
    async close() {
      await daemon.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
