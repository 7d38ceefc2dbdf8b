/**
 * Ends the program quietly once nothing reads its output any more, as after `cellar-door doctor | head`. A server keeps
 * running: it writes to a log, and shutdown.ts handles its streams.
 */
export function endWithReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      process.exit(0);
    });
  }
}
