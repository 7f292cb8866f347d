// The fake agent's card: where it is called, and that it expects what a shipment does.

/** The extension's, as any stranger writes it. */
export const uri = 'https://rsaxb.com/a2a/expectations/v1';

export type FakeBinding = 'JSONRPC' | 'HTTP+JSON';
export type FakeVersion = '1.0' | '0.3';

const kinds = ['manifest', 'departure', 'arrival'].map((step) => ({
  kind: `shipment.${step}`,
  subjectType: 'shipment',
  describes: `the ${step} of a shipment`,
  basis: 'observed',
}));

export function cardOf(url: string, protocolBinding: FakeBinding, protocolVersion: FakeVersion): object {
  const params = { keepsTime: false, lapseSkill: 'handle_lapse', kinds };
  return {
    name: 'Fake',
    description: 'Misbehaves as it is told, for tests of whoever calls it.',
    version: '1',
    supportedInterfaces: [{ url, protocolBinding, protocolVersion }],
    capabilities: { streaming: true, extensions: [{ uri, required: false, params }] },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'handle_lapse', name: 'Handle a lapse', description: 'Answers for a lapse', tags: ['lapses'] }],
  };
}

/** The same as agents of 0.3 have it. */
export function legacyCardOf(card: unknown, url: string, preferredTransport: FakeBinding): object {
  return { ...(card as object), supportedInterfaces: undefined, protocolVersion: '0.3.0', url, preferredTransport };
}
