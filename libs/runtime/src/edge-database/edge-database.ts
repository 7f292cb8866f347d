// The edges' own tables (schema `duewatch_edge`): keys, agents, writes not yet answered, quarantine, what agents were asked
// to send and are reminded of, what is wrong with them, what the gateway has sent on and what it keeps for agents that know no reminders, where
// people are told of lapses.
// They are tables of record; nothing that is decided may be kept here alone.
import type { DataSource } from 'typeorm';
import { openOwnSchema } from '../own-schema.ts';
import { AgentCard } from './agent-card.entity.ts';
import { AgentCards1790000003500 } from './agent-cards.migration.ts';
import { AgentIdentity1790000001000 } from './agent-identity.migration.ts';
import { AgentReminders1802000000000 } from './agent-reminders.migration.ts';
import { AnswerReporter1800000002000 } from './answer-reporter.migration.ts';
import { AgentTrouble1800000001000 } from './agent-trouble.migration.ts';
import { Agent } from './agent.entity.ts';
import { ApiKey } from './api-key.entity.ts';
import { CardReading } from './card-reading.entity.ts';
import { AgentRemindersRow } from '../agents/agent-reminders.entity.ts';
import { AgentTroubleRow } from '../agents/agent-trouble.entity.ts';
import { DispatchProfileRow } from '../agents/dispatch-profile.entity.ts';
import { DispatchProfile1798000000000 } from './dispatch-profile.migration.ts';
import { EdgeTables1790000000000 } from './edge-tables.migration.ts';
import { ForwardedSend } from './forwarded-send.entity.ts';
import { ForwardedSend1790000010000 } from './forwarded-send.migration.ts';
import { KeptReminders1799000003000 } from './kept-reminders.migration.ts';
import { KeptRemindersRow } from './kept-reminders.entity.ts';
import { PushSubscription } from './push-subscription.entity.ts';
import { PushSubscriptions1797000001000 } from './push-subscriptions.migration.ts';
import { QuarantineSettling1790000002000 } from './quarantine-settling.migration.ts';
import { QuarantinedFact } from './quarantined-fact.entity.ts';
import { SinkStanding1799000001000 } from './sink-standing.migration.ts';
import { Sink } from './sink.entity.ts';
import { Sinks1799000000000 } from './sinks.migration.ts';
import { UnansweredWrite } from './unanswered-write.entity.ts';

/** The injection token of the edges' `DataSource`. */
export const EDGE_DATABASE = Symbol('EdgeDatabase');

/** Connects and migrates. The caller destroys it. Throws the driver's error where the database cannot be reached. */
export function openEdgeDatabase(databaseUrl: string): Promise<DataSource> {
  return openOwnSchema({
    databaseUrl,
    schema: 'duewatch_edge',
    migrationLock: 0x64756577,
    poolSize: 10,
    entities: [
      ...[ApiKey, Agent, AgentCard, CardReading, DispatchProfileRow, AgentTroubleRow],
      AgentRemindersRow,
      ...[UnansweredWrite, QuarantinedFact, PushSubscription, ForwardedSend, Sink, KeptRemindersRow],
    ],
    migrations: [
      EdgeTables1790000000000,
      AgentIdentity1790000001000,
      QuarantineSettling1790000002000,
      AgentCards1790000003500,
      ForwardedSend1790000010000,
      PushSubscriptions1797000001000,
      DispatchProfile1798000000000,
      Sinks1799000000000,
      SinkStanding1799000001000,
      KeptReminders1799000003000,
      AgentTrouble1800000001000,
      AnswerReporter1800000002000,
      AgentReminders1802000000000,
    ],
  });
}
