import { startInstallation } from './composition.ts';
import { closeOnShutdown } from './shutdown.ts';

// The part of development that is started again at every change of the server's files.
const running = await startInstallation(process.env, { apiOnly: true });
console.log(`API ready, sandbox at ${running.sandboxUrl ?? 'Stripe'}`);

closeOnShutdown(() => running.close());
