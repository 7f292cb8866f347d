// `/health/live` and `/health/ready`: whether the process runs, and whether each thing it needs answers.
import { type DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import { HealthController } from './health.controller.ts';
import { HEALTH_CHECKS, type HealthCheck } from './readiness.ts';
import { ReadinessMetrics } from './readiness-metrics.ts';

export interface HealthOptions {
  readonly imports?: NonNullable<ModuleMetadata['imports']>;
  readonly inject?: readonly (symbol | string | (abstract new (...parameters: never[]) => unknown))[];
  /** Gets what `inject` names, in order. */
  readonly useFactory: (...injected: never[]) => readonly HealthCheck[];
}

@Module({})
export class HealthModule {
  static register(options: HealthOptions): DynamicModule {
    return {
      module: HealthModule,
      imports: [...(options.imports ?? [])],
      controllers: [HealthController],
      providers: [
        ReadinessMetrics,
        { provide: HEALTH_CHECKS, inject: [...(options.inject ?? [])], useFactory: options.useFactory },
      ],
      exports: [ReadinessMetrics],
    };
  }
}
