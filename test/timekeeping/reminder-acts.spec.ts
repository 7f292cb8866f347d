// What became of reminders that the watcher keeps for agents, decided: recorded as it was told, and nothing to the core.
import { Logger } from '@nestjs/common';
import { type ReminderReported, reminderOutcomes } from '#event-log';
import { PartitionStage } from '#testing';
import { ask, eventsOf, replayedTexts, start, stopAll } from './given-partition.ts';

Logger.overrideLogger(false);
afterEach(stopAll);

const of = { agentId: 'booking', taskId: 't1', reminderId: 'r1' };

it('stands in the ledger of its tenant, with the instant of the log', async () => {
  const stage = new PartitionStage();
  await start(stage);
  for (const outcome of reminderOutcomes) await ask(stage, 'acme', { type: 'reminderReported', ...of, outcome });
  expect(await eventsOf(stage, 'acme')).toEqual(
    reminderOutcomes.map((outcome) => ({ type: 'reminderRecorded', at: expect.any(String), ...of, outcome })),
  );
  expect(await replayedTexts(stage)).toEqual(await stage.decided());
});

it('has nothing recorded that it does not know, such as what a reminder says', async () => {
  const stage = new PartitionStage();
  await start(stage);
  const told = { type: 'reminderReported', ...of, outcome: 'carried', body: 'a secret' } as const;
  await ask(stage, 'acme', told);
  expect(JSON.stringify(await eventsOf(stage, 'acme'))).not.toContain('secret');
});

it.each([
  ['agentId', { agentId: 5 }],
  ['taskId', { taskId: '' }],
  ['reminderId', { reminderId: 'a\0' }],
  ['outcome', { outcome: 'lost' }],
])('is ignored where its %s is not as it must be', async (field, wrong) => {
  const stage = new PartitionStage();
  await start(stage);
  const act = { type: 'reminderReported', ...of, outcome: 'accepted', ...wrong } as ReminderReported;
  await ask(stage, 'acme', act);
  expect(await eventsOf(stage, 'acme')).toMatchObject([
    { type: 'inputIgnored', why: expect.stringContaining(`unreadable: ${field}`) },
  ]);
});
