// Appendix B of the specification over HTTP, in real time, against an agent that is a process of its own.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatInstant } from '#expectations';
import { type Spawned, spawnNode, systemClock } from '#runtime';
import { retimed, type Vector, vectorFolder } from '#testing';
import type { AnyWatcher, CreateWatcher } from './any-watcher.ts';
import { until } from './watcher.ts';

const uri = 'https://rsaxb.com/a2a/expectations/v1';
const vectorFile = join(vectorFolder, 'worked-example.json');

/** What the agent was sent, as it came over the wire. */
interface ReceivedRequest {
  readonly method: string;
  readonly extensions?: string;
  readonly params: {
    readonly message: Readonly<Record<string, unknown>> & { readonly messageId: string };
    readonly configuration: unknown;
  };
}

interface ShownExpectation {
  readonly expectationId: string;
  readonly lapses: readonly { readonly lapse: string }[];
}

export function describeAppendixB(create: CreateWatcher): void {
  let watcher: AnyWatcher;
  let agent: Spawned;
  let agentUrl: string;

  beforeAll(async () => {
    watcher = await create();
    agent = spawnNode(join(import.meta.dirname, 'booking-agent.mjs'), [vectorFile], () => undefined);
    agentUrl = await agent.firstLine((line) => /^listening (.+)$/.exec(line)?.[1]);
    await watcher.start();
  });

  afterAll(async () => {
    await watcher.remove();
    await agent.stop();
  });

  /** The vector with its timeline in seconds: every gap of it at least one, in the same order. */
  function compressed(startMs: number): Vector {
    const at = (seconds: number): string => formatInstant(startMs + seconds * 1_000);
    return retimed(JSON.parse(readFileSync(vectorFile, 'utf8')) as Vector, {
      // The manifest: due, then due plus grace, which is when it is overdue.
      '2026-09-10T20:15:00Z': at(2),
      PT2H: 'PT2S',
      '2026-09-10T22:15:01Z': at(4),
      // The departure: observed, reported, and when it was due.
      '2026-09-11T02:41:00Z': at(6),
      '2026-09-11T02:41:07Z': at(7),
      '2026-09-11T03:15:00Z': at(8),
      // The arrival: due by the departure's observation, as projected, overdue, and its horizon.
      PT1H45M: 'PT3S',
      '2026-09-11T04:26:00Z': at(9),
      '2026-09-11T05:00:00Z': at(10),
      PT6H: 'PT5S',
      '2026-09-11T10:26:01Z': at(14),
      '2026-09-13T05:00:00Z': at(17),
      '2026-09-13T05:00:01Z': at(17),
    });
  }

  async function received(): Promise<ReceivedRequest[]> {
    return (await (await fetch(`${agentUrl}/received`)).json()) as ReceivedRequest[];
  }

  /** The booking as a client of the agent has seen it. */
  function bookingOf({ inputs }: Vector): object {
    const booked = inputs.find((input) => input.type === 'artifactObserved');
    if (booked?.type !== 'artifactObserved') throw new Error('the example begins with a booking');
    const { agentId, taskId, contextId, artifact } = booked;
    const task = { id: taskId, contextId, status: { state: 'TASK_STATE_COMPLETED' }, artifacts: [artifact] };
    return { agentId, task };
  }

  it('tells the agent of each lapse of the example once, in its order, as a task of its own', async () => {
    const { agentId, findings } = (await watcher.call('PUT', '/v1/agents/booking', {
      cardUrl: `${agentUrl}/.well-known/agent-card.json`,
      // The example knows of no time for feeds that race.
      settings: { skippedSettleTime: 'PT0S' },
    })) as { agentId: string; findings: readonly unknown[] };
    expect({ agentId, findings }).toEqual({ agentId: 'booking', findings: [] });

    const startMs = systemClock.now();
    const vector = compressed(startMs);
    expect(await watcher.call('POST', '/v1/observations', bookingOf(vector))).toMatchObject({
      results: [{ expectations: [{ outcome: 'recorded' }, { outcome: 'recorded' }, { outcome: 'recorded' }] }],
    });

    const departed = vector.inputs.find((input) => input.type === 'factReported');
    if (departed?.type !== 'factReported') throw new Error('the example goes on with a departure');
    await systemClock.sleep(Date.parse(departed.at) - systemClock.now());
    expect(await watcher.call('POST', '/v1/facts', departed.fact)).toMatchObject({
      results: [{ outcome: 'accepted', satisfied: [{ agentId, expectationId: 'exp-01J8Q0DEPART' }] }],
    });

    const expected = vector.expected.lapses;
    await until(
      async () => (await received()).filter(({ method }) => method === 'SendMessage').length >= expected.length,
    );
    await until(async () => {
      const { items } = (await watcher.call('GET', '/v1/dispatches')) as { items: readonly { state: string }[] };
      return items.length === expected.length && items.every(({ state }) => state === 'concluded');
    });

    // It is asked, too, what became of its tasks.
    const requests = (await received()).filter(({ method }) => method === 'SendMessage');
    expect(requests.map(({ method, extensions, params }) => ({ method, extensions, ...params }))).toEqual(
      expected.map(({ contextId, taskId, messageId, lapse }) => ({
        method: 'SendMessage',
        extensions: uri,
        message: {
          role: 'ROLE_USER',
          messageId,
          contextId,
          referenceTaskIds: [taskId],
          parts: [{ text: expect.stringContaining(lapse.expects) }],
          extensions: [uri],
          metadata: { [uri]: { lapse: { ...lapse, lapsedAt: expect.any(String) } } },
        },
        configuration: expect.objectContaining({ returnImmediately: true }),
      })),
    );
    const { items } = (await watcher.call('GET', '/v1/expectations')) as { items: readonly ShownExpectation[] };
    const shown = items.map(({ lapses, ...expectation }) => ({
      ...expectation,
      lapses: lapses.map(({ lapse }) => lapse),
    }));
    expect(shown.toSorted((left, right) => (left.expectationId < right.expectationId ? -1 : 1))).toMatchObject(
      vector.expected.records.map(({ satisfiedAt: _, ...record }) => record),
    );

    for (const [index, { params }] of requests.entries()) {
      const { lapse } = (params.message['metadata'] as Record<string, { lapse: { lapsedAt: string } }>)[uri]!;
      expect(Date.parse(lapse.lapsedAt)).toBeGreaterThanOrEqual(Date.parse(expected[index]!.lapse.lapsedAt));
    }
  });
}
