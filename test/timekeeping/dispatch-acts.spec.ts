// What operators ask of dispatch, decided: it is recorded as it was asked, in its order, and the core is told nothing of it.
import { Logger } from '@nestjs/common';
import { type DispatchAct, encodeInbox, type RefusalTellingReported } from '#event-log';
import { declared, PartitionStage, reported } from '#testing';
import { core as realCore, type Core } from '../../apps/timekeeper/src/core.ts';
import { ask, due, eventsOf, replayedTexts, start, stopAll, typesOf } from './given-partition.ts';

Logger.overrideLogger(false);
afterEach(stopAll);

const by = 'olga';
const pause: DispatchAct = {
  ...{ type: 'dispatchPauseRequested', pauseId: 'p', reason: 'they move house', by },
  scope: { agentId: 'booking', subject: { type: 'flight', id: 'f' } },
  until: '2026-09-02T00:00:00Z',
};
const telling: Omit<RefusalTellingReported, 'type'> = {
  ...{ agentId: 'booking', contextId: 'c', outcome: 'told', taskId: 't' },
  refusals: [{ ledgerOffset: 7, eventIndex: 1 }],
};
const ofLapse = { agentId: 'booking', expectationId: 'e', lapse: 'overdue', by } as const;

it('stands in the ledger of its tenant, with the instant of the log', async () => {
  const stage = new PartitionStage();
  await start(stage);
  await ask(stage, 'acme', pause);
  await ask(stage, 'acme', { type: 'dispatchPauseEndRequested', pauseId: 'p', by });
  await ask(stage, 'acme', { type: 'dispatchRetryRequested', ...ofLapse });
  await ask(stage, 'acme', { type: 'dispatchDiscardRequested', ...ofLapse, reason: 'by telephone' });
  await ask(stage, 'acme', { type: 'refusalTellingReported', ...telling });
  const at = expect.any(String);
  const { type: _, ...asked } = pause;
  expect(await eventsOf(stage, 'acme')).toEqual([
    { type: 'dispatchPaused', at, ...asked },
    { type: 'dispatchResumed', at, pauseId: 'p', by },
    { type: 'dispatchRetried', at, ...ofLapse },
    { type: 'dispatchDiscarded', at, ...ofLapse, reason: 'by telephone' },
    { type: 'refusalTellingEnded', at, ...telling },
  ]);
  expect(await replayedTexts(stage)).toEqual(await stage.decided());
});

it('changes nothing of what is decided, nor of what a fold of the ledger knows', async () => {
  const stages = await Promise.all(
    [true, false].map(async (isAsked) => {
      const stage = new PartitionStage();
      const first = await start(stage);
      await stage.tell('acme', declared(), due(stage, 'e', 60_000), due(stage, 'later', 120_000));
      if (isAsked) await ask(stage, 'acme', pause);
      await stage.clock.advance(61_000);
      await first.stop();
      await start(stage);
      if (isAsked) await ask(stage, 'acme', { type: 'dispatchRetryRequested', ...ofLapse });
      await stage.tell('acme', reported(stage.startMs, 'e'));
      await stage.clock.advance(61_000);
      expect(await replayedTexts(stage)).toEqual(await stage.decided());
      return eventsOf(stage, 'acme');
    }),
  );
  const [asked = [], not = []] = stages.map(typesOf);
  expect(asked.filter((type) => !/^dispatch(Paused|Retried)$/.test(type))).toEqual(not);
  expect(asked).toContain('dispatchPaused');
});

it('of a held tenant waits for its release like all else, and is recorded then in its place', async () => {
  const stage = new PartitionStage();
  const cursed: Core = {
    ...realCore,
    advance: () => {
      throw new Error('planted');
    },
  };
  await stage.tell('acme', declared(), due(stage, 'e', 1_000));
  await (await start(stage, cursed)).stop();
  await stage.clock.advance(2_000);
  await (await start(stage, cursed)).stop();
  await (await start(stage, cursed)).stop();
  await start(stage);
  await ask(stage, 'acme', pause);
  expect(typesOf(await eventsOf(stage, 'acme'))).not.toContain('dispatchPaused');
  const held = (await stage.entries()).find(({ events }) => events.some(({ type }) => type === 'tenantHeld'));
  await ask(stage, 'acme', { type: 'tenantReleaseRequested', heldOffset: held?.offset ?? -1, by });
  expect(typesOf(await eventsOf(stage, 'acme')).slice(-3)).toEqual([
    'expectationLapsed',
    'dispatchPaused',
    'tenantReleased',
  ]);
  expect(await replayedTexts(stage)).toEqual(await stage.decided());
});

it.each<[string, object]>([
  ['pauseId', { ...pause, pauseId: 5 }],
  ['scope', { ...pause, scope: null }],
  ['scope', { ...pause, scope: [] }],
  ['scope', { ...pause, scope: { kind: 5 } }],
  ['scope', { ...pause, scope: { subject: { type: 'flight' } } }],
  ['until', { ...pause, until: undefined }],
  ['until', { ...pause, until: 'tomorrow' }],
  ['from', { ...pause, from: 'today' }],
  ['reason', { ...pause, reason: undefined }],
  ['lapse', { type: 'dispatchRetryRequested', ...ofLapse, lapse: 'late' }],
  ['reason', { type: 'dispatchDiscardRequested', ...ofLapse }],
  ['outcome', { type: 'refusalTellingReported', ...telling, outcome: 'lost' }],
  ['refusals', { type: 'refusalTellingReported', ...telling, refusals: [{ ledgerOffset: -1, eventIndex: 0 }] }],
])('is ignored where its %s is not as it must be: %j', async (field, act) => {
  const stage = new PartitionStage();
  await start(stage);
  await stage.append([{ tenant: 'acme', value: encodeInbox(act as DispatchAct) }]);
  expect(await eventsOf(stage, 'acme')).toMatchObject([
    { type: 'inputIgnored', why: expect.stringContaining(`unreadable: ${field}`) },
  ]);
});
