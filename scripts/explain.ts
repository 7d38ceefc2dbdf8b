/** Their message says what to do. By name, as a script throws its own, from outside the server's bundle. */
const EXPLAINED = [
  'ConfigurationError',
  'DataDirInUse',
  'DatabaseTooOldError',
  'DatabaseUserError',
  'NothingToLeave',
  'ServerRefused',
];

/** What to tell the person who started the server or a command when it could not do its work. */
export function explain(error: unknown): string {
  if (error instanceof Error && EXPLAINED.includes(error.name)) return error.message;
  const { code, port } = error as { code?: string; port?: number };
  if (code === 'EADDRINUSE') {
    const setting = String(port) === process.env.METRICS_PORT ? 'METRICS_PORT=9465' : 'PORT=4000';
    return `Port ${port} is taken by another program. Choose another one: ${setting} npm start`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
