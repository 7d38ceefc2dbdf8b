import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { dataFolder, type StartedProcess, startProcess } from './installation.ts';

/** A server as run by a venue: `npm start` with the keys of a payment service. */
export interface VenueServer {
  url: string;
  /** The data folder, with the embedded database unless DATABASE_URL names a server. */
  folder: string;
  /** Resolves when the server is open, on the same port and folder each time. Rejects with its output if it ends before. */
  start(): Promise<void>;
  pid(): number;
  /** Sends a signal that does not end the process. */
  signal(name: NodeJS.Signals): void;
  /** The output since the last start. */
  output(): string;
  /** Sends SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** Stops the server if it runs, and deletes its folder. */
  remove(): Promise<void>;
}

/** A server that is not started yet. */
export async function venueServer(env: Record<string, string>, folder = dataFolder()): Promise<VenueServer> {
  const port = await freePort();
  let running: StartedProcess | null = null;
  const end = async (signal: NodeJS.Signals) => {
    const ending = running;
    running = null;
    await ending?.stop(signal);
  };
  return {
    url: `http://127.0.0.1:${port}`,
    folder: folder.path,
    pid: () => Number(readFileSync(join(folder.path, 'server.pid'), 'utf8')),
    signal: (name) => running?.signal(name),
    output: () => running?.output() ?? '',
    kill: () => end('SIGKILL'),
    async start() {
      running = await startProcess({
        HOST: '127.0.0.1',
        DATA_DIR: folder.path,
        ...(process.env.NODE_OPTIONS ? { NODE_OPTIONS: process.env.NODE_OPTIONS } : {}),
        ...env,
        PORT: String(port),
      });
    },
    async remove() {
      await end('SIGTERM');
      folder.remove();
    },
  };
}
