// Records that no edge lets into the log, for tests of what becomes of them there.
import { encodeInbox, type UntimedInput } from '#event-log';

const uri = 'https://rsaxb.com/a2a/expectations/v1';

/** An expectation that is due at once is among them. */
export function nastyValues(agentId: string): readonly Uint8Array[] {
  const nasty = 'nasty \0 \ud800';
  const observedAt = new Date().toISOString();
  const expectation = {
    ...{ expectationId: nasty, kind: 'shipment.departure', subject: { type: nasty, id: nasty }, expects: nasty },
    ...{ satisfiedBy: { factKey: nasty }, dueAt: '2026-01-01T00:00:00Z', basis: nasty, after: [nasty], more: nasty },
  };
  const artifact = { artifactId: nasty, metadata: { [uri]: { expectations: [expectation, null, 7, nasty] } } };
  const inputs: readonly UntimedInput[] = [
    { type: 'artifactObserved', agentId, taskId: 'task', contextId: nasty, artifact },
    { type: 'artifactObserved', agentId, taskId: nasty, contextId: nasty, artifact },
    { type: 'factReported', reporter: nasty, fact: { factKey: `other ${nasty}`, observedAt, [nasty]: nasty } },
    { type: 'factsReported', reporter: '', facts: [null, 7, {}, { factKey: '\0', observedAt: nasty }] },
    { type: 'statusObserved', agentId: nasty, taskId: nasty, contextId: nasty, state: nasty, statusAt: nasty },
    { type: 'agentDeclared', agentId: nasty, params: { kinds: nasty } },
    { type: 'answerObserved', agentId: nasty, taskId: nasty, reporter: nasty },
    { type: 'dispatchAttempted', agentId: nasty, expectationId: nasty, lapse: 'overdue', attempt: 1 },
  ];
  const texts = [
    ...[
      '',
      ' ',
      'null',
      '[]',
      '{',
      '{"v":1}',
      '{"v":2,"input":{"type":"tick"}}',
      '{"v":1,"input":{"type":"constructor"}}',
    ],
    `{"v":1,"input":{"type":"factReported","reporter":"r","fact":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`,
    '{"v":1,"input":{"type":"factReported","reporter":"r","fact":{"factKey":"k","observedAt":1e999}}}',
    '{"v":1,"input":{"type":"factReported","reporter":"__proto__","fact":{"__proto__":1,"factKey":"__proto__"}}}',
    '{"v":1,"input":{"type":"factReported","reporter":7}}',
  ];
  return [
    ...inputs.map(encodeInbox),
    ...texts.map((text) => Buffer.from(text)),
    Buffer.of(0xff, 0xfe, 0),
    Buffer.of(0),
  ];
}
