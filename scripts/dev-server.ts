import { startInstallation } from './composition.ts';

// The part of development that restarts when a file of the server changes.
const running = await startInstallation(process.env, { apiOnly: true });
console.log(`API ready, sandbox at ${running.sandboxUrl ?? 'Stripe'}`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await running.close();
    process.exit(0);
  });
}
