// Reads Prometheus' text format as its server does, and lets nothing pass that the server would not.
import assert from 'node:assert/strict';

export interface PrometheusSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const helpLine = /^# HELP ([a-zA-Z_:][\w:]*) \S.*$/;
const typeLine = /^# TYPE ([a-zA-Z_:][\w:]*) (counter|gauge|histogram|summary)$/;
/** The server reads NaN in any case, and the client writes it as `Nan`. */
const sampleLine =
  /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\]|\\.)*",?)*)\})? (-?[\d.]+(?:e[+-]?\d+)?|NaN|Nan|[+-]Inf)$/;

/** Throws at the first line that is wrong, at a sample without help and type, and at one that is there twice. */
export function parsePrometheusText(text: string): readonly PrometheusSample[] {
  const helped = new Set<string>();
  const types = new Map<string, string>();
  const seen = new Set<string>();
  const samples: PrometheusSample[] = [];
  assert(text.endsWith('\n'), 'the text must end with a line feed');
  for (const line of text.split('\n')) {
    if (line === '') continue;
    if (line.startsWith('#')) {
      const [, name = '', type] = typeLine.exec(line) ?? helpLine.exec(line) ?? [];
      assert(name !== '', `neither help nor type: ${line}`);
      const told = type === undefined ? helped : types;
      assert(!told.has(name), `told twice: ${line}`);
      if (type === undefined) helped.add(name);
      else types.set(name, type);
      continue;
    }
    const [, name = '', labelsText = '', value = ''] = sampleLine.exec(line) ?? [];
    assert(name !== '', `no sample: ${line}`);
    const family = types.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '');
    assert(helped.has(family) && types.has(family), `without help or type: ${line}`);
    const place = line.slice(0, line.lastIndexOf(' '));
    assert(!seen.has(place), `there twice: ${line}`);
    seen.add(place);
    const labels = [...labelsText.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = '', of = '']) => [label, of]);
    samples.push({ name, labels: Object.fromEntries(labels) as Record<string, string>, value: Number(value) });
  }
  return samples;
}

/** The value of the only sample of the name with these labels among its own; undefined where there is none. */
export function sampleValue(
  samples: readonly PrometheusSample[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const found = samples.filter(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  );
  assert(found.length < 2, `${name} is there ${found.length} times: say with which labels`);
  return found[0]?.value;
}
