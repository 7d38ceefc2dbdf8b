// Loaded into a server (node --import): profiles it from the moment that PROFILE_FILE.begin exists, and writes the profile
// to PROFILE_FILE when the process ends.
import { existsSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';

const file = process.env.PROFILE_FILE;
const LOOK_MS = 100;
const SAMPLE_MICROSECONDS = 500;

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.setSamplingInterval', { interval: SAMPLE_MICROSECONDS });
const timer = setInterval(() => {
  if (!existsSync(`${file}.begin`)) return;
  clearInterval(timer);
  session.post('Profiler.start');
}, LOOK_MS);
timer.unref();
process.on('exit', () =>
  session.post('Profiler.stop', (_, result) => {
    if (result) writeFileSync(`${file}.${process.pid}`, JSON.stringify(result.profile));
  }),
);
