// Faults planted in the dispatcher.
import type { Mutant } from '../../mutants/mutant.ts';

export const ofDispatcher: readonly Mutant[] = [
  {
    name: 'a lapse is sent before the ledger has given leave',
    file: 'apps/dispatcher/src/outbox/outbox.ts',
    find: "SET state = 'asked', report = asked.report",
    replace: "SET state = 'ready', report = asked.report",
  },
  {
    name: 'a lapse is sent again under another message id',
    file: 'apps/dispatcher/src/sender.ts',
    find: 'const request = lapseRequest(lapse.lapsed, await this.context(lapse));',
    replace:
      'const messageId = lapse.lapsed.messageId + (lapse.attempt > 1 ? `#${lapse.attempt}` : "");\n    const request = lapseRequest({ ...lapse.lapsed, messageId }, await this.context(lapse));',
  },
  {
    name: 'what may be with the agent is sent again',
    file: 'apps/dispatcher/src/outbox/after-attempt.ts',
    find: "{ state: 'unknown', attempt: row.attempt, delayMs });",
    replace: "{ state: 'ready', attempt: row.attempt + 1, delayMs });",
  },
  {
    name: 'what was being sent when the dispatcher died is sent again',
    file: 'apps/dispatcher/src/outbox/outbox.ts',
    find: "SET state = 'unknown', last_outcome = NULL",
    replace: "SET state = 'ready', last_outcome = NULL",
  },
  {
    name: 'what was attempted before the tables were lost is sent again',
    file: 'apps/dispatcher/src/outbox/apply-change.ts',
    find: "CASE state WHEN 'asked' THEN 'ready' ELSE 'unknown' END",
    replace: "'ready'",
  },
  {
    name: 'the position of the ledger is written, and then what stands there',
    file: 'apps/dispatcher/src/outbox/outbox.ts',
    find: 'await this.ownership.moveTo(manager, nextOffset, alongside?.from);',
    replace: 'await this.ownership.moveTo(this.database.manager, nextOffset, alongside?.from);',
  },
  {
    name: 'the log is told nothing after a failure to tell it',
    file: 'apps/dispatcher/src/reporter.ts',
    find: '      await log.append(partition, records);\n      await outbox.told(reports);',
    replace: '      await outbox.told(reports);\n      await log.append(partition, records);',
  },
  {
    name: 'a void lapse stays in the outbox',
    file: 'apps/dispatcher/src/outbox/apply-change.ts',
    find: "state NOT IN ('sending', 'submitted')",
    replace: "state IN ('pending')",
  },
  {
    name: 'what the agent has taken is not told to the log',
    file: 'apps/dispatcher/src/outbox/after-attempt.ts',
    find: 'lastOutcome: row.lastOutcome, report };',
    replace: 'lastOutcome: row.lastOutcome, report: null };',
  },
];
