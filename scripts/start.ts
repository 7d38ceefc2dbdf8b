import { bundled, prepareBuilds } from './builds.ts';
import type { Kind } from './serve/installation.ts';
import { run } from './serve/run.ts';

export async function start(kind: Kind | undefined, lan: boolean): Promise<void> {
  await run({
    kind,
    lan,
    prepare: (signal) => ({
      ...prepareBuilds(process.env.NODE_ENV === 'production', signal),
      load: () => import(bundled('serve') ?? './serve/serve.ts'),
    }),
  });
}

if (import.meta.main) {
  const [option = '', ...rest] = process.argv.slice(2);
  if (!['', '--lan'].includes(option) || rest.length > 0) {
    console.error('Usage: npm start, or npm start -- --lan to open it to phones on this network, over HTTPS');
    process.exit(2);
  }
  await start(undefined, option === '--lan');
}
