// Every app's module in one process: the embedded watcher.
import { type DynamicModule, Module } from '@nestjs/common';
import { type Config, diskCheck, EdgeModule, type HealthCheck, HealthModule } from '#runtime';
import type { Memberships } from '#serving';
import { DispatcherModule } from '../../../dispatcher/src/dispatcher.module.ts';
import { FactsModule } from '../../../facts/src/facts.module.ts';
import { IntakeModule } from '../../../intake/src/intake.module.ts';
import { ProjectorHealth, ProjectorModule } from '../../../projector/src/projector.module.ts';
import { QueryModule } from '../../../query/src/query.module.ts';
import { Timekeeper, TimekeeperModule } from '../../../timekeeper/src/timekeeper.module.ts';
import { WebModule } from '../../../web/src/web.module.ts';
import { PortsModule } from '../process/ports.module.ts';
import { embeddedPorts } from './embedded-ports.ts';
import type { Stores } from './stores.ts';

@Module({})
export class EmbeddedModule {
  static register(
    config: Config,
    stores: Stores,
    memberships: Memberships,
    onFatal: (error: unknown) => void,
  ): DynamicModule {
    // Another's server keeps its data on a disk that is not ours to see.
    const ownDisk = config.databaseUrl === undefined ? [diskCheck(config.dataDirectory)] : [];
    return {
      module: EmbeddedModule,
      imports: [
        PortsModule.register(embeddedPorts(config, stores, memberships, onFatal)),
        EdgeModule,
        IntakeModule,
        FactsModule,
        TimekeeperModule,
        DispatcherModule,
        ProjectorModule,
        QueryModule,
        WebModule,
        HealthModule.register({
          imports: [TimekeeperModule, ProjectorModule],
          inject: [Timekeeper, ProjectorHealth],
          useFactory: (...checks: HealthCheck[]) => [...checks, ...ownDisk],
        }),
      ],
    };
  }
}
