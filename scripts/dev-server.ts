import { startInstallation } from './serve/composition.ts';
import { closeOnShutdown } from './serve/shutdown.ts';

// The development server, restarted when a server file changes.
const running = await startInstallation(process.env, { apiOnly: true });
console.log(`API ready, sandbox at ${running.sandboxUrl ?? 'Stripe'}`);

closeOnShutdown(() => running.close());
