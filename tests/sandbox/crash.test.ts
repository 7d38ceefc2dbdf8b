import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Stripe from 'stripe';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../sandbox/index.ts';
import { startHarness } from '../support/sandbox/harness.ts';

const index = new URL('../../sandbox/index.ts', import.meta.url).href;

function folder(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  return dataDir;
}

/** Starts a sandbox in its own process, which can be killed. */
async function startProcess(dataDir: string) {
  const script = `const { startSandbox } = await import(${JSON.stringify(index)});
const sandbox = await startSandbox({ port: 0, dataDir: ${JSON.stringify(dataDir)} });
console.log(sandbox.url);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const url = await new Promise<string>((resolve) =>
    child.stdout.once('data', (data) => resolve(String(data).trim())),
  );
  return { child, url };
}

describe('a sandbox that crashes', () => {
  test('keeps everything it responded to, after a kill in the middle of work', async () => {
    const dataDir = folder();
    const { child, url } = await startProcess(dataDir);
    const { hostname, port } = new URL(url);
    const stripe = new Stripe('sk_test_x', {
      host: hostname,
      port: Number(port),
      protocol: 'http',
      maxNetworkRetries: 0,
    });
    const answered: string[] = [];
    const work = async () => {
      for (;;) answered.push((await stripe.customers.create({ email: 'ada@example.test' })).id);
    };
    const lines = [work(), work(), work()].map((line) => line.catch(() => undefined));
    while (answered.length < 40) await new Promise((resolve) => setImmediate(resolve));
    child.kill('SIGKILL');
    await Promise.all(lines);

    const { stripe: after } = await startHarness({ dataDir });
    const kept = new Set<string>();
    for await (const customer of after.customers.list({ limit: 100 })) kept.add(customer.id);
    expect(answered.filter((id) => !kept.has(id))).toEqual([]);
    expect(readdirSync(dataDir)).toContain('payments.json');
  });

  test('leaves nothing open if it cannot start', async () => {
    const dataDir = folder();
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      taken.close();
    });
    const address = taken.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    await expect(startSandbox({ port, dataDir })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await expect(startSandbox({ port: 0, smtpPort: port, dataDir })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
    expect(existsSync(join(dataDir, 'payments.json'))).toBe(false);
  });
});
