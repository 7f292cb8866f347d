// What whoever runs it sees at `/metrics`: of the whole watcher as it runs, and while its database stands still.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsePrometheusText, type PrometheusSample, sampleValue } from '#testing';
import { send, treesOf } from './trees.ts';
import { until, Watcher } from './watcher.ts';

let watcher: Watcher;
beforeAll(async () => {
  watcher = await Watcher.create();
  await watcher.start();
});
afterAll(() => watcher.remove(), 120_000);

async function scrape(): Promise<readonly PrometheusSample[]> {
  const response = await fetch(`${watcher.url}/metrics`);
  expect(response.status).toBe(200);
  return parsePrometheusText(await response.text());
}

const fact = (factKey: string): object => ({
  ...{ factKey, observedAt: new Date().toISOString(), source: 'tower', subject: { type: 'flight', id: factKey } },
});

it('shows every part of it to whoever asks, and no tenant’s name', async () => {
  await watcher.call('POST', '/v1/facts', fact('secret-key'));
  await until(async () => {
    const lags = (await scrape()).filter(({ name }) => name === 'duewatch_projection_lag_records');
    return lags.length === 8 && lags.every(({ value }) => value === 0);
  });
  const samples = await scrape();
  expect(samples.filter(({ name, value }) => name === 'duewatch_metrics_unavailable' && value !== 0)).toEqual([]);
  expect(sampleValue(samples, 'duewatch_ready', { check: 'timekeeper' })).toBe(1);
  const factsRecorded = samples.filter(({ labels }) => labels['type'] === 'factRecorded');
  expect(factsRecorded.map(({ name, value }) => ({ name, value }))).toEqual([
    { name: 'duewatch_events_written_total', value: 1 },
  ]);
  const requests = { method: 'POST', route: '/v1/facts', status: '200' };
  expect(sampleValue(samples, 'duewatch_http_request_duration_seconds_count', requests)).toBe(1);
  const labels = samples.flatMap((sample) => Object.values(sample.labels));
  expect(labels.filter((label) => /default|secret-key|tower/.test(label))).toEqual([]);
});

it('shows what docs/metrics.md explains, and nothing else', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/metrics.md'), 'utf8');
  const explained = [...page.matchAll(/`(duewatch_\w+)/g)].map(([, name]) => name);
  // An outbox that is empty has nothing in any state.
  const shown = [
    ...(await scrape()).map(({ name }) => name.replace(/_(bucket|sum|count)$/, '')),
    'duewatch_dispatches',
  ];
  const ofOurs = shown.filter((name) => name.startsWith('duewatch_'));
  expect([...new Set(ofOurs)].sort()).toEqual([...new Set(explained)].sort());
});

it('has as many samples however many tenants, addresses and agents there are', async () => {
  for (let index = 0; index < 3; index += 1) {
    await watcher.call('POST', '/v1/facts', fact(`more-${index}`));
    await fetch(`${watcher.url}/unheard-of/${index}`);
    await fetch(`${watcher.url}/v1/subjects/flight/${index}/timeline`);
  }
  const before = (await scrape()).length;
  for (let index = 3; index < 30; index += 1) {
    await watcher.call('POST', '/v1/facts', fact(`more-${index}`));
    await fetch(`${watcher.url}/unheard-of/${index}`);
    await fetch(`${watcher.url}/v1/subjects/flight/${index}/timeline`);
  }
  expect((await scrape()).length).toBe(before);
});

it('goes on showing what it knows while its database stands still, and says what it does not', async () => {
  const processes = treesOf([await watcher.serverPid()]);
  for (const pid of processes) send(pid, 'SIGSTOP');
  try {
    const samples = await scrape();
    expect(sampleValue(samples, 'duewatch_metrics_unavailable', { source: 'projector' })).toBe(1);
    expect(sampleValue(samples, 'duewatch_metrics_unavailable', { source: 'dispatcher' })).toBe(1);
    expect(sampleValue(samples, 'duewatch_metrics_unavailable', { source: 'timekeeper' })).toBe(0);
    expect(sampleValue(samples, 'duewatch_ready', { check: 'projector' })).toBe(0);
    expect(samples.filter(({ name }) => name === 'duewatch_judgement_lag_seconds')).toHaveLength(8);
  } finally {
    for (const pid of processes) send(pid, 'SIGCONT');
  }
  await until(async () => sampleValue(await scrape(), 'duewatch_ready', { check: 'projector' }) === 1);
});
