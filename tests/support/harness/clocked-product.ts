import { bundled, prepareBuilds } from '../../../scripts/builds.ts';
import type { serve as Serve } from '../../../scripts/serve/serve.ts';
import { closeOnShutdown } from '../../../scripts/serve/shutdown.ts';
import { sendReminders } from '../../../src/server/billing/notices/reminders.ts';

// The demo, for journeys over months. Its clock moves through the sandbox; the reminders, normally on a real ten-minute
// timer, run on SIGUSR2.
const { web, startsFrom } = prepareBuilds(false);
const { serve }: { serve: typeof Serve } = await import(
  bundled('serve') ?? '../../../scripts/serve/serve.ts'
);
const running = await serve(process.env, { webReady: web, startsFrom, lan: false });
closeOnShutdown(() => running.close());
process.on('SIGUSR2', () => void sendReminders(running.server.services.billing));
