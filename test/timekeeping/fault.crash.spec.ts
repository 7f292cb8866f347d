// What is parked, held and released, with a log that is away at one call, whichever it is: decided once, and replayable.
import { Logger } from '@nestjs/common';
import { encodeInbox, LogUnavailableError } from '#event-log';
import { declared, FailingEventLog, type FailureMoment, PartitionStage, raised, reported } from '#testing';
import { core as realCore, type Core } from '../../apps/timekeeper/src/core.ts';
import { DeciderFaultError } from '../../apps/timekeeper/src/decider-fault-error.ts';
import { PartitionLoop } from '../../apps/timekeeper/src/partition-loop.ts';
import { eventsOf, replayedTexts, typesOf } from './given-partition.ts';

Logger.overrideLogger(false);

/** Throws on the fact `poison`, and on deadlines of the agent `cursed` until it is healed. */
class Planted {
  isHealed = false;

  readonly core: Core = {
    ...realCore,
    decide: (state, input) => {
      if (JSON.stringify(input).includes('poison')) throw new Error('planted: poison');
      return realCore.decide(state, input);
    },
    advance: (state, at, size) => {
      if (state.agents.has('cursed') && !this.isHealed) throw new Error('planted: cursed');
      return realCore.advance(state, at, size);
    },
  };
}

/** Starts again after a fault, as a supervisor would; any other error fails the test. */
async function supervise(stage: PartitionStage, log: FailingEventLog, core: Core): Promise<() => Promise<void>> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const ended = (async () => {
    while (!signal.aborted) {
      try {
        await new PartitionLoop(log, stage.clock, 0, 'test', undefined, core).run(signal);
      } catch (error) {
        if (!(error instanceof LogUnavailableError) && !(error instanceof DeciderFaultError)) throw error;
      }
    }
  })();
  await stage.clock.settle();
  return async () => {
    stopping.abort();
    await ended;
  };
}

async function story(failsAtCall: number, moment: FailureMoment): Promise<{ stage: PartitionStage; isOver: boolean }> {
  const stage = new PartitionStage();
  const planted = new Planted();
  const due = (id: string, ms: number) => raised({ id, dueAtMs: stage.startMs + ms });
  await stage.tell('acme', declared('cursed'), declared(), due('e', 1_000), reported(stage.startMs, 'poison'));
  await stage.tell('other', declared(), due('e', 1_000), reported(stage.startMs, 'poison'));
  const log = new FailingEventLog(stage.log, failsAtCall, moment);
  const stop = await supervise(stage, log, planted.core);
  await stage.clock.advance(2_000);
  await stage.tell('acme', reported(stage.startMs, 'e'));
  await stage.tell('other', reported(stage.startMs, 'e'));
  const [entry] = (await stage.entries()).filter(({ events }) => events.some(({ type }) => type === 'tenantHeld'));
  planted.isHealed = true;
  const act = { type: 'tenantReleaseRequested', heldOffset: entry?.offset ?? -1, by: 'ops' } as const;
  await stage.append([{ tenant: 'acme', value: encodeInbox(act) }]);
  await stop();
  return { stage, isOver: log.callCount < failsAtCall };
}

it.each<FailureMoment>(['before', 'after'])('of a tenant, %s it took effect', async (moment) => {
  let isOver = false;
  for (let failsAtCall = 0; !isOver; failsAtCall += 1) {
    const told = await story(failsAtCall, moment);
    const ofAcme = typesOf(await eventsOf(told.stage, 'acme'));
    expect({ failsAtCall, ofAcme }).toEqual({
      failsAtCall,
      ofAcme: [
        ...['agentDeclared', 'agentDeclared', 'expectationRecorded', 'inputParked', 'tenantHeld'],
        ...['expectationLapsed', 'factRecorded', 'expectationSatisfied', 'dispatchVoided', 'tenantReleased'],
      ],
    });
    expect(await replayedTexts(told.stage)).toEqual(await told.stage.decided());
    isOver = told.isOver;
  }
});

/** The log's clock is an hour ahead, and right again; an operator says when it went wrong. */
async function heldPartition(
  failsAtCall: number,
  moment: FailureMoment,
): Promise<{ stage: PartitionStage; isOver: boolean }> {
  const stage = new PartitionStage();
  await stage.tell('acme', declared(), raised({ id: 'e', dueAtMs: stage.startMs + 1_800_000 }));
  const log = new FailingEventLog(stage.log, failsAtCall, moment);
  const stop = await supervise(stage, log, realCore);
  stage.differenceMs = 3_600_000;
  await stage.tell('acme', reported(stage.startMs, 'e'));
  await stage.clock.advance(6_000);
  stage.differenceMs = 0;
  const [hold] = await stage.partitionEntries('partitionHeld');
  const act = { type: 'partitionReleaseRequested', heldOffset: hold?.offset ?? -1, by: 'ops' } as const;
  await stage.append([{ tenant: null, value: encodeInbox({ ...act, takenAt: '2026-09-01T00:00:00Z' }) }]);
  await stage.clock.advance(6_000);
  await stop();
  return { stage, isOver: log.callCount < failsAtCall };
}

it.each<FailureMoment>(['before', 'after'])('of a partition, %s it took effect', async (moment) => {
  let isOver = false;
  for (let failsAtCall = 0; !isOver; failsAtCall += 1) {
    const { stage, isOver: isLast } = await heldPartition(failsAtCall, moment);
    const told = {
      failsAtCall,
      heldCount: (await stage.partitionEntries('partitionHeld')).length,
      releasedCount: (await stage.partitionEntries('partitionReleased')).length,
      lapses: await stage.events('expectationLapsed'),
      satisfiedCount: (await stage.events('expectationSatisfied')).length,
    };
    expect(told).toEqual({ failsAtCall, heldCount: 1, releasedCount: 1, lapses: [], satisfiedCount: 1 });
    expect(await replayedTexts(stage)).toEqual(await stage.decided());
    isOver = isLast;
  }
});
