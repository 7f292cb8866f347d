// The agent host as a Nest module: health, and, mounted before the server listens, the agent itself.
import { type DynamicModule, Module } from '@nestjs/common';
import { type Clock, CLOCK, type HealthCheck, HealthModule } from '#runtime';

export { AgentHost, type AgentHostOptions, CardRefusedError } from './agent-host.ts';
export { AgentFolderError } from './load-agent.ts';
export { defaultHostBounds, type HostBounds } from './run/shares.ts';
export type { Keeping } from './store/retention.ts';
export { type OpenedStores, openHostStores, type StoreKind, type StorePlaces } from './store/host-stores.ts';

@Module({})
export class AgentHostModule {
  static register(clock: Clock, checks: readonly HealthCheck[]): DynamicModule {
    return {
      module: AgentHostModule,
      global: true,
      imports: [HealthModule.register({ useFactory: () => checks })],
      providers: [{ provide: CLOCK, useValue: clock }],
      exports: [CLOCK],
    };
  }
}
