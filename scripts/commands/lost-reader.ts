/**
 * Ends the program quietly once nothing reads its output any more, as after `cellar-door doctor | head`. A server goes on: it
 * writes to a log, and shutdown.ts looks after its streams.
 */
export function endWithReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      process.exit(0);
    });
  }
}
