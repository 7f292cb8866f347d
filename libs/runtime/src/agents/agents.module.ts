// Gives the agents' directory to whoever registers or calls agents.
// `EDGE_DATABASE`, `CLOCK` and `CREDENTIAL_SEAL` come from a global module of the composition root.
import { Module } from '@nestjs/common';
import { AgentCards } from './agent-cards.ts';
import { AgentDirectory } from './agent-directory.ts';
import { AgentReminders } from './agent-reminders.ts';
import { AgentTroubles } from './agent-troubles.ts';
import { DispatchProfiles } from './dispatch-profiles.ts';

const providers = [AgentCards, AgentDirectory, AgentReminders, AgentTroubles, DispatchProfiles];

@Module({ providers, exports: providers })
export class AgentsModule {}
