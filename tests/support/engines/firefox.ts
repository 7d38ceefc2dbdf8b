import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine } from './engine.ts';

const PREFERENCES = {
  'app.update.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'media.navigator.permission.disabled': true,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
};
const START_MS = 60_000;

/** Starts Firefox without a window and speaks WebDriver BiDi with it, without a driver. */
export async function openFirefox(): Promise<Engine> {
  const profile = mkdtempSync(join(tmpdir(), 'firefox-'));
  const lines = Object.entries(PREFERENCES).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  );
  writeFileSync(join(profile, 'user.js'), lines.join('\n'));
  const browser = spawn(
    process.env.FIREFOX_PATH ?? '/usr/bin/firefox-esr',
    ['--headless', '--no-remote', '--remote-debugging-port=0', '--profile', profile, 'about:blank'],
    { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, HOME: profile } },
  );
  const ended = new Promise((resolved) => browser.once('exit', resolved));
  const address = await new Promise<string>((found, failed) => {
    let output = '';
    const timer = setTimeout(() => failed(new Error(`Firefox did not start:\n${output}`)), START_MS);
    browser.once('exit', (code) => failed(new Error(`Firefox ended with ${code}:\n${output}`)));
    browser.stderr.on('data', (piece: Buffer) => {
      output += piece;
      const [, url] = output.match(/WebDriver BiDi listening on (ws:\S+)/) ?? [];
      if (!url) return;
      clearTimeout(timer);
      found(url);
    });
  });
  const { send, close } = await connect(`${address}/session`);
  await send('session.new', { capabilities: {} });
  const { contexts } = await send<{ contexts: { context: string }[] }>('browsingContext.getTree', {});
  const context = contexts[0]?.context;
  return {
    async open(url) {
      await send('browsingContext.navigate', { context, url, wait: 'complete' });
    },
    async run<Value>(source: string, ...args: unknown[]) {
      // Sent as text in both directions, because the protocol's own values need a type each.
      const expression = `(${source})(...${JSON.stringify(args)}).then((it) => JSON.stringify({ it }))`;
      const { result, exceptionDetails } = await send<{
        result?: { value: string };
        exceptionDetails?: { text: string };
      }>('script.evaluate', { expression, target: { context }, awaitPromise: true, userActivation: true });
      if (!result) throw new Error(exceptionDetails?.text ?? 'The script failed');
      return (JSON.parse(result.value) as { it: Value }).it;
    },
    async close() {
      close();
      browser.kill('SIGKILL');
      await ended;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

interface Answer {
  id?: number;
  result?: unknown;
  error?: string;
  message?: string;
}

async function connect(url: string) {
  const socket = new WebSocket(url);
  await new Promise((opened, failed) => {
    socket.addEventListener('open', opened, { once: true });
    socket.addEventListener('error', failed, { once: true });
  });
  const waiting = new Map<number, { done(value: unknown): void; failed(error: Error): void }>();
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error, message } = JSON.parse(String(data)) as Answer;
    const call = id === undefined ? undefined : waiting.get(id);
    if (!call || id === undefined) return;
    waiting.delete(id);
    if (error) call.failed(new Error(`${error}: ${message}`));
    else call.done(result);
  });
  let last = 0;
  return {
    close: () => socket.close(),
    send<Value = unknown>(method: string, params: object): Promise<Value> {
      last += 1;
      const id = last;
      socket.send(JSON.stringify({ id, method, params }));
      return new Promise((done, failed) =>
        waiting.set(id, { done: (value) => done(value as Value), failed }),
      );
    },
  };
}
