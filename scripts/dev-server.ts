import { startInstallation } from './serve/composition.ts';
import { closeOnShutdown } from './serve/shutdown.ts';

// The development server, restarted when a server file changes.
const installation = await startInstallation(process.env, { apiOnly: true });
console.log(`API ready, sandbox at ${installation.sandboxUrl ?? 'Stripe'}`);

closeOnShutdown(() => installation.close());
