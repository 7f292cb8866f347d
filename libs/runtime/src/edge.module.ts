// What every HTTP edge shares: who asks (keys and guard), how problems are told, and the agents' directory.
// `CLOCK`, `EDGE_DATABASE` and `CREDENTIAL_SEAL` come from a global module of the composition root.
import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { AgentsModule } from './agents/agents.module.ts';
import { ApiKeys } from './keys/api-keys.ts';
import { AuthGuard } from './keys/auth.guard.ts';
import { KeysController } from './keys/keys.controller.ts';
import { ProblemFilter } from './problem/problem.filter.ts';

/** Guard and filter stand before every handler of the process. */
@Global()
@Module({
  imports: [AgentsModule],
  controllers: [KeysController],
  providers: [ApiKeys, { provide: APP_GUARD, useClass: AuthGuard }, { provide: APP_FILTER, useClass: ProblemFilter }],
  exports: [ApiKeys, AgentsModule],
})
export class EdgeModule {}
