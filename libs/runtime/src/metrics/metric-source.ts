// What is measured and by whom: the apps say it in these plain values, and know nothing of Prometheus' client.
// A label must never be a tenant, an id, or anything else that a client may choose: nobody needs a key to read it.

/** One value of a metric, by its labels. */
export interface MetricSample {
  readonly labels?: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/** A metric as it is now. What is not known has no sample. */
export interface MetricFamily {
  /** `duewatch_…`, in base units (seconds, bytes); a counter's ends in `_total`. */
  readonly name: string;
  readonly help: string;
  /** A counter only rises, from 0 when the process starts. */
  readonly type: 'gauge' | 'counter';
  readonly samples: readonly MetricSample[];
}

/** Something whose numbers are asked for at every scrape. Its names are its own: no other source has the same. */
export interface MetricSource {
  /** Shown where it cannot be asked. */
  readonly name: string;
  /** Rejects where the numbers cannot be had: those of the other sources are shown all the same. */
  collect(): Promise<readonly MetricFamily[]>;
}
