// What the core throws on is parked, or its tenant held, when it throws again; everyone else is served.
import { Logger } from '@nestjs/common';
import type { LedgerEvent } from '#event-log';
import type { Event } from '#expectations';
import { declared, PartitionStage, reported } from '#testing';
import { core as realCore, type Core } from '../../apps/timekeeper/src/core.ts';
import { DeciderFaultError } from '../../apps/timekeeper/src/decider-fault-error.ts';
import { ask, due, eventsOf, replayedTexts, start, stopAll, typesOf } from './given-partition.ts';

Logger.overrideLogger(false);
afterEach(stopAll);

/** Throws on the fact `poison`, on the deadlines of the agent `cursed`, and where the expectation `cursed` is folded. */
const planted: Core = {
  decide: (state, input) => {
    if (JSON.stringify(input).includes('poison')) throw new Error('planted: poison');
    return realCore.decide(state, input);
  },
  advance: (state, at, size) => {
    if (state.agents.has('cursed')) throw new Error('planted: cursed');
    return realCore.advance(state, at, size);
  },
  evolve: (state, event) => {
    if (event.type === 'expectationRecorded' && event.expectationId === 'cursed') throw new Error('planted: fold');
    realCore.evolve(state, event);
  },
};

describe('an input on which the decider throws', () => {
  async function poisoned(): Promise<PartitionStage> {
    const stage = new PartitionStage();
    await stage.tell('acme', declared(), due(stage, 'e', 60_000), reported(stage.startMs, 'poison'));
    await stage.tell('acme', reported(stage.startMs, 'e'));
    await stage.tell('other', declared());
    return stage;
  }

  it('ends the process, which says so in the ledger first', async () => {
    const stage = await poisoned();
    expect(await (await start(stage, planted)).stop()).toBeInstanceOf(DeciderFaultError);
    expect(await stage.partitionEntries('inputFailed')).toMatchObject([
      { offset: 2, cause: expect.stringContaining('planted: poison') },
    ]);
    expect(typesOf(await eventsOf(stage, 'acme'))).toEqual(['agentDeclared', 'expectationRecorded']);
  });

  it('is parked by the next start, and what stands behind it is decided', async () => {
    const stage = await poisoned();
    await (await start(stage, planted)).stop();
    const again = await start(stage, planted);
    expect(again.loop.notDeciding).toBeUndefined();
    expect(typesOf(await eventsOf(stage, 'acme'))).toEqual([
      'agentDeclared',
      'expectationRecorded',
      'inputParked',
      'factRecorded',
      'expectationSatisfied',
    ]);
    expect(typesOf(await eventsOf(stage, 'other'))).toEqual(['agentDeclared']);
    expect(await again.stop()).toBeUndefined();
    expect(await replayedTexts(stage)).toEqual(await stage.decided());
  });

  it('is decided by the next start where it does not throw again', async () => {
    const stage = await poisoned();
    await (await start(stage, planted)).stop();
    await start(stage);
    expect(typesOf(await eventsOf(stage, 'acme'))).not.toContain('inputParked');
    expect(await stage.events('factRecorded')).toHaveLength(2);
  });
});

/** `acme` has a deadline that throws at 1 s, and is told more afterwards; `other` has one too. */
async function cursed(): Promise<PartitionStage> {
  const stage = new PartitionStage();
  await stage.tell('acme', declared('cursed'), declared(), due(stage, 'e', 1_000), due(stage, 'later', 4_000));
  await stage.tell('other', declared(), due(stage, 'e', 1_000));
  await (await start(stage, planted)).stop();
  await stage.clock.advance(2_000);
  return stage;
}

describe('a tenant whose deadline throws', () => {
  it('is held by the next start; everyone else is served', async () => {
    const stage = await cursed();
    expect(await (await start(stage, planted)).stop()).toBeInstanceOf(DeciderFaultError);
    await start(stage, planted);
    expect(await stage.events('expectationLapsed')).toHaveLength(1);
    expect((await eventsOf(stage, 'acme')).at(-1)).toMatchObject({
      type: 'tenantHeld',
      cause: expect.stringContaining('planted: cursed'),
    });
    await stage.tell('acme', reported(stage.startMs, 'later'));
    await stage.tell('other', reported(stage.startMs, 'e'));
    await stage.clock.advance(60_000);
    expect(typesOf(await eventsOf(stage, 'acme')).at(-1)).toBe('tenantHeld');
    expect(typesOf(await eventsOf(stage, 'other'))).toContain('expectationSatisfied');
  });

  async function held(): Promise<PartitionStage> {
    const stage = await cursed();
    await (await start(stage, planted)).stop();
    const again = await start(stage, planted);
    await stage.tell('acme', reported(stage.startMs, 'later'), reported(stage.startMs, 'e'));
    await stage.clock.advance(8_000);
    await again.stop();
    return stage;
  }

  async function heldOffset(stage: PartitionStage): Promise<number> {
    const entry = (await stage.entries()).find(({ events }) => events.some(({ type }) => type === 'tenantHeld'));
    return entry?.offset ?? -1;
  }

  it('is decided at its release as it would have been, each input at its own instant', async () => {
    const stage = await held();
    await start(stage);
    expect(typesOf(await eventsOf(stage, 'acme')).at(-1)).toBe('tenantHeld');
    await ask(stage, 'acme', { type: 'tenantReleaseRequested', heldOffset: await heldOffset(stage), by: 'ops' });
    const released = await eventsOf(stage, 'acme');
    expect(released.at(-1)).toMatchObject({ type: 'tenantReleased', by: 'ops' });

    const healthy = new PartitionStage();
    await healthy.appendStamped(await stage.inbox());
    await start(healthy);
    const own = (event: LedgerEvent): event is Event => !/^tenant|^inputIgnored/.test(event.type);
    expect(released.filter(own)).toEqual((await eventsOf(healthy, 'acme')).filter(own));
    expect(typesOf(released)).toContain('expectationLapsed');

    await stage.tell('acme', due(stage, 'next', 20_000));
    await stage.clock.advance(30_000);
    expect((await eventsOf(stage, 'acme')).at(-1)).toMatchObject({ type: 'expectationLapsed', expectationId: 'next' });
    expect(await replayedTexts(stage)).toEqual(await stage.decided());
  });

  it('stays held where it still throws, and is told so', async () => {
    const stage = await held();
    const again = await start(stage, planted);
    await ask(stage, 'acme', { type: 'tenantReleaseRequested', heldOffset: await heldOffset(stage), by: 'ops' });
    expect((await eventsOf(stage, 'acme')).at(-1)).toMatchObject({
      type: 'tenantReleaseRefused',
      cause: expect.stringContaining('planted: cursed'),
    });
    await again.stop();
    await start(stage);
    await ask(stage, 'acme', { type: 'tenantReleaseRequested', heldOffset: await heldOffset(stage), by: 'ops' });
    expect((await eventsOf(stage, 'acme')).at(-1)).toMatchObject({ type: 'tenantReleased' });
  });

  it('is released also where another tenant’s deadline throws at that very input', async () => {
    const stage = await held();
    await stage.tell('third', declared('doomed'), declared(), due(stage, 'e', 12_000));
    await stage.clock.advance(3_000);
    const doomed: Core = {
      ...realCore,
      advance: (state, at, size) => {
        if (state.agents.has('doomed')) throw new Error('planted: doomed');
        return realCore.advance(state, at, size);
      },
    };
    await ask(stage, 'acme', { type: 'tenantReleaseRequested', heldOffset: await heldOffset(stage), by: 'ops' });
    expect(await (await start(stage, doomed)).stop()).toBeInstanceOf(DeciderFaultError);
    await start(stage, doomed);
    expect((await eventsOf(stage, 'acme')).at(-1)).toMatchObject({ type: 'tenantReleased' });
    expect((await eventsOf(stage, 'third')).at(-1)).toMatchObject({ type: 'tenantHeld' });
    expect(await replayedTexts(stage)).toEqual(await stage.decided());
  });

  it('is not released by a request that names another hold', async () => {
    const stage = await held();
    await start(stage);
    await ask(stage, 'acme', { type: 'tenantReleaseRequested', heldOffset: 0, by: 'ops' });
    expect((await eventsOf(stage, 'acme')).at(-1)).toMatchObject({ type: 'tenantHeld' });
  });
});

describe('a tenant of whom the ledger cannot be folded', () => {
  it('is held with the first input, and released by a version that can fold it', async () => {
    const stage = new PartitionStage();
    await stage.tell('acme', declared(), due(stage, 'cursed', 60_000));
    await stage.tell('other', declared(), due(stage, 'e', 60_000));
    await (await start(stage)).stop();
    const faulty = await start(stage, planted);
    await stage.tell('acme', reported(stage.startMs, 'cursed'));
    await stage.tell('other', reported(stage.startMs, 'e'));
    expect(typesOf(await eventsOf(stage, 'acme'))).toEqual(['agentDeclared', 'expectationRecorded', 'tenantHeld']);
    expect(typesOf(await eventsOf(stage, 'other'))).toContain('expectationSatisfied');
    await faulty.stop();
    await start(stage);
    const [entry] = (await stage.entries()).filter(({ events }) => events.some(({ type }) => type === 'tenantHeld'));
    await ask(stage, 'acme', { type: 'tenantReleaseRequested', heldOffset: entry?.offset ?? -1, by: 'ops' });
    expect(typesOf(await eventsOf(stage, 'acme'))).toContain('expectationSatisfied');
  });
});
