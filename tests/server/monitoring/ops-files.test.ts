import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createMetrics } from '../../../src/server/monitoring/metrics.ts';

const ops = resolve(import.meta.dirname, '../../../ops');
const operations = resolve(import.meta.dirname, '../../../docs/run/watch.md');
const read = (name: string) => readFileSync(join(ops, name), 'utf8');

/** Suffixes of the series of a histogram. */
const SERIES = /_(?:bucket|count|sum)$/;
const METRIC = /\b(?:cellar_door|nodejs|process)_[a-z0-9_]+\b/g;
const namedIn = (text: string) => [...new Set(text.match(METRIC))].map((name) => name.replace(SERIES, ''));

let known: Set<string>;
let ours: string[];
beforeAll(async () => {
  const metrics = await createMetrics();
  metrics.watch({
    version: '1.2.3',
    now: () => new Date(0),
    readEmails: () => Promise.reject(new Error('not needed here')),
    readBilling: () => Promise.reject(new Error('not needed here')),
    connections: () => null,
    billingQueue: () => 0,
    passwordQueue: () => ({ running: 0, waiting: 0 }),
    openStreams: () => 0,
    taskRuns: () => [],
  });
  known = new Set([...(await metrics.text()).matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name));
  ours = [...known].filter((name) => name.startsWith('cellar_door_'));
});

describe.each(['alerts.yml', 'grafana-dashboard.json'])('ops/%s', (name) => {
  it('names only metrics that exist', () => {
    const named = namedIn(read(name));
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((it) => !known.has(it))).toEqual([]);
  });
});

it('the dashboard shows every metric of ours', () => {
  const shown = namedIn(read('grafana-dashboard.json'));
  expect(ours.filter((it) => !shown.includes(it))).toEqual([]);
});

it('panels of the dashboard do not overlap, and each has a query', () => {
  const { panels } = JSON.parse(read('grafana-dashboard.json')) as {
    panels: {
      title: string;
      type: string;
      gridPos: { x: number; y: number; w: number; h: number };
      targets?: { expr: string }[];
    }[];
  };
  const taken = new Map<string, string>();
  for (const { title, type, gridPos, targets } of panels) {
    if (type !== 'row') expect(targets?.length, title).toBeGreaterThan(0);
    expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        expect(taken.get(`${x} ${y}`), title).toBeUndefined();
        taken.set(`${x} ${y}`, title);
      }
    }
  }
});

it('every alert says how urgent it is and what to do, and the manual names it', () => {
  const alerts = read('alerts.yml')
    .split(/^ {6}- alert: /m)
    .slice(1);
  expect(alerts.length).toBeGreaterThan(8);
  const manual = readFileSync(operations, 'utf8');
  for (const alert of alerts) {
    const [name = ''] = alert.split('\n');
    expect(alert, name).toMatch(/severity: (page|ticket) /);
    expect(alert, name).toMatch(/summary: \S/);
    expect(alert, name).toMatch(/description: \S/);
    expect(manual, name).toContain(`\`${name}\``);
  }
});

it('the manual lists every metric of ours', () => {
  const manual = readFileSync(operations, 'utf8');
  expect(ours.filter((name) => !manual.includes(`\`${name}\``))).toEqual([]);
});
