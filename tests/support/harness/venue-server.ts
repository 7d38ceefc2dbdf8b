import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { dataFolder, type StartedProcess, startProcess } from './installation.ts';

/** A server as a venue runs it: `npm start` with the keys of a payment service. */
export interface VenueServer {
  url: string;
  /** Its data folder, with the embedded database unless DATABASE_URL names a server. */
  folder: string;
  /** Resolves when it is open, on the same port and folder each time. Rejects with its output if it ends before. */
  start(): Promise<void>;
  /** The id of the running process. */
  pid(): number;
  /** Sends a signal that does not end it. */
  signal(name: NodeJS.Signals): void;
  /** What it printed since its last start. */
  output(): string;
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
  /** Stops it if it runs, and deletes its folder. */
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
