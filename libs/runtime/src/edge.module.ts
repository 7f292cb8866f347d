// What every HTTP edge shares: who asks (keys and guard), and how problems are told.
// `CLOCK` and `EDGE_DATABASE` come from a global module of the composition root.
import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { ApiKeys } from './keys/api-keys.ts';
import { AuthGuard } from './keys/auth.guard.ts';
import { KeysController } from './keys/keys.controller.ts';
import { ProblemFilter } from './problem/problem.filter.ts';

/** Guard and filter stand before every handler of the process. */
@Global()
@Module({
  controllers: [KeysController],
  providers: [ApiKeys, { provide: APP_GUARD, useClass: AuthGuard }, { provide: APP_FILTER, useClass: ProblemFilter }],
  exports: [ApiKeys],
})
export class EdgeModule {}
