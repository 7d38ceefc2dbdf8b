import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Finds a free port, with the next one free for the sandbox too. The port is below the range for outgoing connections, so
 * that no connection takes it before its server starts, and above 10080, which `fetch` refuses.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 2 * randomInt(5_050, 16_000);
    if ((await canListen(port)) && (await canListen(port + 1))) return port;
  }
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, () => probe.close(() => resolve(true)));
  });
}
