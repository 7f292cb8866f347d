// A log's clock that is wrong: ahead holds the partition until an operator has looked, behind makes lapses late.
import { Logger } from '@nestjs/common';
import type { PartitionReleaseRequested } from '#event-log';
import { declared, PartitionStage, reported } from '#testing';
import { ask, due, eventsOf, replayedTexts, start, stopAll, typesOf } from './given-partition.ts';

Logger.overrideLogger(false);
afterEach(stopAll);

describe('an input that is stamped too far ahead', () => {
  /** `e` is due after 30 minutes; then the log's clock steps an hour forward, and what satisfies `e` arrives. */
  async function steppedForward(): Promise<PartitionStage> {
    const stage = new PartitionStage();
    await stage.tell('acme', declared(), due(stage, 'e', 1_800_000));
    const first = await start(stage);
    stage.differenceMs = 3_600_000;
    await stage.tell('acme', reported(stage.startMs, 'e'));
    await stage.clock.advance(60_000);
    expect(first.loop.notDeciding).toContain('is held');
    await first.stop();
    return stage;
  }

  const [heldOffset] = [3];
  const release = (takenAt?: string): PartitionReleaseRequested => ({
    type: 'partitionReleaseRequested',
    heldOffset,
    ...(takenAt === undefined ? {} : { takenAt }),
    by: 'ops',
  });

  it('holds the partition: nothing is decided, neither after a restart nor once that instant has come', async () => {
    const stage = await steppedForward();
    const again = await start(stage);
    await stage.clock.advance(3_700_000);
    expect(again.loop.notDeciding).toContain('is held');
    expect(await stage.partitionEntries('partitionHeld')).toMatchObject([
      { offset: heldOffset, stampedAt: '2026-09-01T01:00:00Z', clockAt: '2026-09-01T00:00:00Z' },
    ]);
    expect(typesOf(await eventsOf(stage, 'acme'))).toEqual(['agentDeclared', 'expectationRecorded']);
  });

  it('is taken at the instant that an operator gives: no false lapse', async () => {
    const stage = await steppedForward();
    stage.differenceMs = 0;
    const again = await start(stage);
    await ask(stage, null, release('2026-09-01T00:00:10Z'));
    expect(again.loop.notDeciding).toBeUndefined();
    expect(await stage.partitionEntries('partitionReleased')).toMatchObject([{ offset: heldOffset, by: 'ops' }]);
    await stage.clock.advance(3_700_000);
    expect(await stage.events('expectationLapsed')).toEqual([]);
    expect(await stage.events('expectationSatisfied')).toMatchObject([{ at: '2026-09-01T00:00:10Z', late: false }]);
    await again.stop();
    await start(stage);
    await stage.tell('acme', due(stage, 'next', 3_800_000));
    await stage.clock.advance(200_000);
    expect(await stage.events('expectationLapsed')).toMatchObject([{ expectationId: 'next' }]);
    expect(await replayedTexts(stage)).toEqual(await stage.decided());
  });

  it('is taken as stamped where the operator says that the stamps were right', async () => {
    const stage = await steppedForward();
    // It was the timekeeper's clock that was behind.
    stage.clock.correct(3_600_000);
    stage.differenceMs = 0;
    await start(stage);
    await ask(stage, null, release());
    expect(await stage.events('expectationLapsed')).toMatchObject([{ at: '2026-09-01T01:00:00Z' }]);
  });

  it('is not released by an instant yet to come, nor for another hold', async () => {
    const stage = await steppedForward();
    const again = await start(stage);
    await ask(stage, null, release('2026-09-02T00:00:00Z'));
    await ask(stage, null, release());
    await ask(stage, null, { ...release('2026-09-01T00:00:10Z'), heldOffset: 2 });
    await stage.clock.advance(61_000);
    expect(again.loop.notDeciding).toContain('is held');
  });

  it('is decided where it is ahead by two minutes at most', async () => {
    const stage = new PartitionStage();
    const only = await start(stage);
    stage.differenceMs = 120_000;
    await stage.tell('acme', declared());
    expect(only.loop.notDeciding).toBeUndefined();
  });
});

describe('a log’s clock that steps back', () => {
  it('makes lapses late, and none false or twice', async () => {
    const stage = new PartitionStage();
    await stage.tell('acme', declared(), due(stage, 'e', 60_000), due(stage, 'met', 60_000));
    await start(stage);
    stage.differenceMs = -3_600_000;
    await stage.clock.advance(120_000);
    expect(await stage.events('expectationLapsed')).toEqual([]);
    await stage.tell('acme', reported(stage.startMs, 'met'));
    stage.differenceMs = 0;
    await stage.clock.advance(10_000);
    expect(await stage.events('expectationLapsed')).toMatchObject([{ expectationId: 'e' }]);
    await stage.clock.advance(4_000_000);
    expect(await stage.events('expectationLapsed')).toHaveLength(1);
    expect(await replayedTexts(stage)).toEqual(await stage.decided());
  });
});
