// The numbers of the process as Prometheus reads them. A source that fails, or does not answer, must never keep the
// others from being shown, nor be asked twice at once.
import { Inject, Injectable, Logger } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import type { Clock } from '../clock.ts';
import { CLOCK } from '../tokens.ts';
import { HttpMetrics } from './http-metrics.ts';
import type { MetricFamily, MetricSource } from './metric-source.ts';

export const METRIC_SOURCES = Symbol('MetricSources');

/** A scraper gives up after 10 s unless told otherwise: a source that hangs is left out long before. */
const answerWithinMs = 3_000;

/** The process's own, of which there is one, however many applications it has. */
let processMetrics: Registry | undefined;

interface Asked {
  readonly source: MetricSource;
  /** Undefined where they could not be had. */
  readonly families: readonly MetricFamily[] | undefined;
}

@Injectable()
export class MetricsText {
  readonly contentType = Registry.PROMETHEUS_CONTENT_TYPE;
  private readonly logger = new Logger(MetricsText.name);
  /** What is being asked: scrapes at the same time share it. */
  private readonly asking = new Map<MetricSource, Promise<readonly MetricFamily[]>>();
  private readonly unavailable = new Set<MetricSource>();

  constructor(
    @Inject(METRIC_SOURCES) private readonly sources: readonly MetricSource[],
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly http: HttpMetrics,
  ) {
    if (processMetrics !== undefined) return;
    processMetrics = new Registry();
    collectDefaultMetrics({ register: processMetrics });
  }

  /** Everything, in Prometheus' text format. */
  async read(): Promise<string> {
    const asked = await Promise.all(this.sources.map((source) => this.ask(source)));
    const registry = new Registry();
    for (const { families = [] } of asked) for (const family of families) register(registry, family);
    register(registry, availability(asked));
    const texts = [registry, this.http.registry, ...(processMetrics === undefined ? [] : [processMetrics])];
    return (await Promise.all(texts.map((each) => each.metrics()))).join('\n');
  }

  private async ask(source: MetricSource): Promise<Asked> {
    const waiting = new AbortController();
    try {
      const isLate = this.clock.sleep(answerWithinMs, waiting.signal).then(() => undefined);
      const families = await Promise.race([this.collect(source), isLate]);
      if (families === undefined) throw new Error(`no answer within ${answerWithinMs} ms`);
      this.unavailable.delete(source);
      return { source, families };
    } catch (error) {
      this.tell(source, error);
      return { source, families: undefined };
    } finally {
      waiting.abort();
    }
  }

  private collect(source: MetricSource): Promise<readonly MetricFamily[]> {
    const asking =
      this.asking.get(source) ??
      Promise.resolve()
        .then(() => source.collect())
        .finally(() => this.asking.delete(source));
    this.asking.set(source, asking);
    return asking;
  }

  /** Once, until it can be asked again: who scrapes asks every few seconds. */
  private tell(source: MetricSource, error: unknown): void {
    if (this.unavailable.has(source)) return;
    this.unavailable.add(source);
    this.logger.warn(`no numbers of ${source.name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function register(registry: Registry, { name, help, type, samples }: MetricFamily): void {
  const labelNames = [...new Set(samples.flatMap(({ labels = {} }) => Object.keys(labels)))];
  const options = { name, help, labelNames, registers: [registry] };
  // Without labels it would be shown as 0 from the beginning.
  if (samples.length === 0) return;
  const metric = type === 'counter' ? new Counter(options) : new Gauge(options);
  for (const { labels = {}, value } of samples) metric.inc(labels, value);
}

function availability(asked: readonly Asked[]): MetricFamily {
  return {
    name: 'duewatch_metrics_unavailable',
    help: '1 where the numbers of the source could not be had at this scrape and are left out',
    type: 'gauge',
    samples: asked.map(({ source, families }) => ({
      labels: { source: source.name },
      value: families === undefined ? 1 : 0,
    })),
  };
}
