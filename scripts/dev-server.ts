import { startInstallation } from './composition.ts';
import { closeOnShutdown } from './shutdown.ts';

// The part of development that restarts when a file of the server changes.
const running = await startInstallation(process.env, { apiOnly: true });
console.log(`API ready, sandbox at ${running.sandboxUrl ?? 'Stripe'}`);

closeOnShutdown(() => running.close());
