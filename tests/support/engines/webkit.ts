import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../harness/free-port.ts';
import type { Engine } from './engine.ts';

const START_MS = 60_000;

/** Starts WebKitGTK's own browser on a virtual screen, and speaks WebDriver with it. */
export async function openWebKit(): Promise<Engine> {
  const home = mkdtempSync(join(tmpdir(), 'webkit-'));
  const port = await freePort();
  const driver = process.env.WEBKIT_DRIVER_PATH ?? '/usr/bin/WebKitWebDriver';
  const browser = spawn('xvfb-run', ['-a', driver, `--port=${port}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
    // In its own process group, so that the screen and the browser end with it.
    detached: true,
    env: {
      ...process.env,
      HOME: home,
      XDG_RUNTIME_DIR: home,
      // The sandbox of its processes needs permissions that a container does not have.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
      WEBKIT_DISABLE_COMPOSITING_MODE: '1',
    },
  });
  let output = '';
  browser.stderr.on('data', (piece: Buffer) => (output += piece));
  const ended = new Promise((resolved) => browser.once('exit', resolved));
  const url = `http://127.0.0.1:${port}`;
  const call = async <Value>(method: string, path: string, body?: object): Promise<Value> => {
    const response = await fetch(url + path, { method, ...(body ? { body: JSON.stringify(body) } : {}) });
    const { value } = (await response.json()) as { value: Value & { error?: string; message?: string } };
    if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
    return value;
  };
  const kill = async () => {
    if (browser.pid) process.kill(-browser.pid, 'SIGKILL');
    await ended;
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const end = performance.now() + START_MS;
    while (!(await fetch(`${url}/status`).catch(() => null))) {
      if (browser.exitCode !== null || performance.now() > end)
        throw new Error(`WebKit did not start:\n${output}`);
      await wait(50);
    }
    const { sessionId } = await call<{ sessionId: string }>('POST', '/session', {
      capabilities: { alwaysMatch: {} },
    });
    const session = `/session/${sessionId}`;
    await call('POST', `${session}/timeouts`, { script: START_MS, pageLoad: START_MS });
    return {
      open: (to) => call('POST', `${session}/url`, { url: to }),
      run: (source, ...args) =>
        call('POST', `${session}/execute/async`, {
          script: `const done = arguments[arguments.length - 1];
            (${source})(...Array.from(arguments).slice(0, -1)).then((it) => done(it ?? null));`,
          args,
        }),
      async close() {
        await call('DELETE', session).catch(() => undefined);
        await kill();
      },
    };
  } catch (error) {
    await kill();
    throw error;
  }
}
