import { startInstallation } from './serve/composition.ts';
import { closeOnShutdown } from './serve/shutdown.ts';

// The part of development that restarts when a file of the server changes.
const running = await startInstallation(process.env, { apiOnly: true });
console.log(`API ready, sandbox at ${running.sandboxUrl ?? 'Stripe'}`);

closeOnShutdown(() => running.close());
