import { ManualClock } from '#testing';
import { AgentHealth } from './agent-health.ts';
import { AgentLane } from './agent-lane.ts';
import type { Outbox } from './outbox/outbox.ts';
import type { WaitingLapse } from './outbox/waiting-lapse.ts';
import type { Sender } from './sender.ts';
import { SendRates } from './send-rates.ts';
import { TenantSlots } from './tenant-slots.ts';

const startMs = Date.parse('2026-09-01T00:00:00Z');
const row = { tenant: 'acme', isUntold: false };
const asked = { ...row, lapseKey: 'first', state: 'asked' } as WaitingLapse;
const ready = { ...row, lapseKey: 'second', state: 'ready' } as WaitingLapse;

it('sends what comes due behind a lapse that the ledger has not answered for', async () => {
  const clock = new ManualClock(startMs);
  const dueAtMs = startMs + 20_000;
  const advanced: string[] = [];
  const outbox = {
    oldest: async (_: string, __: number, now: Date) => (now.getTime() < dueAtMs ? [asked] : [asked, ready]),
  };
  const sender = {
    ask: async () => undefined,
    ratePerMinute: async () => undefined,
    advance: async ({ lapseKey }: WaitingLapse) => void advanced.push(lapseKey),
  };
  const lane = new AgentLane('booking', {
    ...{ outbox: outbox as unknown as Outbox, sender: sender as unknown as Sender, clock },
    ...{ slots: new TenantSlots(), rates: new SendRates(clock) },
    health: new AgentHealth({ baseMs: 1_000, capMs: 600_000 }, { fraction: () => 1 }),
  });
  const stopping = new AbortController();
  const { signal } = stopping;
  const passing = async (): Promise<void> => {
    while (!signal.aborted && advanced.length === 0) await lane.pass(signal, signal);
  };
  const passes = passing();
  await clock.advance(60_000);
  stopping.abort();
  await passes;
  expect(advanced).toEqual(['second']);
});
