// `/metrics`: what the process's parts say of themselves, its requests, and the process itself. On the port of the API,
// as `/health` is: it tells no more than numbers, and whoever runs a proxy before the API keeps it from strangers there.
import { type DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import { HttpMetrics } from './http-metrics.ts';
import type { MetricSource } from './metric-source.ts';
import { MetricsController } from './metrics.controller.ts';
import { METRIC_SOURCES, MetricsText } from './metrics-text.ts';

export interface MetricsOptions {
  readonly imports?: NonNullable<ModuleMetadata['imports']>;
  readonly inject?: readonly (symbol | string | (abstract new (...parameters: never[]) => unknown))[];
  /** Gets what `inject` names, in order. */
  readonly useFactory: (...injected: never[]) => readonly MetricSource[];
}

@Module({})
export class MetricsModule {
  static register(options: MetricsOptions): DynamicModule {
    return {
      module: MetricsModule,
      imports: [...(options.imports ?? [])],
      controllers: [MetricsController],
      providers: [
        HttpMetrics,
        MetricsText,
        { provide: METRIC_SOURCES, inject: [...(options.inject ?? [])], useFactory: options.useFactory },
      ],
    };
  }
}
