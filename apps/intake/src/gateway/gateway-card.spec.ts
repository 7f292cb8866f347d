// An agent's card as the gateway serves it, and where its interfaces are.
import { gatewayCard } from './gateway-card.ts';
import { gatewayInterfaces, interfaceAt } from './gateway-interfaces.ts';

const base = 'https://gateway.example/a2a/acme/booking';
const served = (card: unknown) => gatewayCard(card, gatewayInterfaces(card), base);
const json = (url: string, over: object = {}) => ({ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0', ...over });
const rest = (url: string, over: object = {}) => ({ ...json(url, over), protocolBinding: 'HTTP+JSON' });

describe('a card of 1.0', () => {
  const card = {
    name: 'Booking',
    supportedInterfaces: [
      json('https://agent.example/rpc', { 'x-unknown': 1 }),
      { url: 'agent.example:443', protocolBinding: 'GRPC', protocolVersion: '1.0' },
      rest('https://agent.example/rest/', { protocolVersion: '1.0.2', tenant: 'own' }),
      json('ftp://agent.example/'),
    ],
    signatures: [{ protected: 'x', signature: 'y' }],
    securitySchemes: { oauth: { openIdConnectSecurityScheme: { openIdConnectUrl: 'https://idp.example' } } },
    'x-unknown': { kept: [1.5, null] },
  };

  it('has the gateway’s URLs, and else what it had, but signatures and what cannot be forwarded', () => {
    const { signatures: _, ...kept } = card;
    expect(served(card)).toEqual({
      ...kept,
      supportedInterfaces: [
        { ...card.supportedInterfaces[0], url: `${base}/jsonrpc/1.0` },
        { ...card.supportedInterfaces[2], url: `${base}/rest/1.0` },
      ],
    });
  });

  it('of which only so many interfaces are kept names no more at the gateway', () => {
    const entries = Array.from({ length: 1_000 }, (_, index) => json(`https://agent.example/${index}`));
    const supportedInterfaces = [...entries, rest('https://agent.example/rest')];
    const rewritten = served({ supportedInterfaces }) as { readonly supportedInterfaces: readonly unknown[] };
    expect(rewritten.supportedInterfaces).toHaveLength(32);
    const paths = gatewayInterfaces({ supportedInterfaces: [entries[0], entries[1], supportedInterfaces.at(-1)] });
    expect(paths.map(({ path }) => path)).toEqual([
      expect.stringMatching(/^jsonrpc\/1\.0-[0-9a-f]{8}$/),
      expect.stringMatching(/^jsonrpc\/1\.0-[0-9a-f]{8}$/),
      'rest/1.0',
    ]);
  });

  it('of which nothing can be forwarded has no interface', () => {
    expect(served({ supportedInterfaces: [card.supportedInterfaces[1]] })).toEqual({ supportedInterfaces: [] });
  });

  it('may have 0.3’s places beside its own', () => {
    const both = { ...card, url: 'https://agent.example/old', additionalInterfaces: [] };
    expect(served(both)).toMatchObject({ url: `${base}/jsonrpc/0.3`, additionalInterfaces: [] });
    expect(interfaceAt(gatewayInterfaces(both), 'jsonrpc', '0.3')).toMatchObject({ url: 'https://agent.example/old' });
  });
});

describe('a card of 0.3', () => {
  it('has its URL, and those of its additional interfaces, at the gateway', () => {
    const card = {
      url: 'https://agent.example/',
      additionalInterfaces: [
        { url: 'https://agent.example/', transport: 'JSONRPC' },
        { url: 'https://agent.example/v', transport: 'HTTP+JSON' },
        { url: 'agent.example:443', transport: 'GRPC' },
      ],
    };
    expect(served(card)).toEqual({
      url: `${base}/jsonrpc/0.3`,
      additionalInterfaces: [
        { url: `${base}/jsonrpc/0.3`, transport: 'JSONRPC' },
        { url: `${base}/rest/0.3`, transport: 'HTTP+JSON' },
      ],
    });
  });

  it('that prefers what cannot be forwarded prefers another', () => {
    const card = {
      url: 'agent.example:443',
      preferredTransport: 'GRPC',
      additionalInterfaces: [{ url: 'https://agent.example/v', transport: 'HTTP+JSON' }],
    };
    expect(served(card)).toMatchObject({ url: `${base}/rest/0.3`, preferredTransport: 'HTTP+JSON' });
  });
});

describe('the path of an interface', () => {
  const one = json('https://one.example/');
  const two = json('https://two.example/');

  it('names binding and version, and stays when the card is reordered', () => {
    const pathsOf = (entries: readonly { readonly url: string }[]) =>
      new Map(
        gatewayInterfaces({ supportedInterfaces: entries }).map(({ url, binding, path }) => [binding + url, path]),
      );
    const all = [one, rest('https://one.example/'), two];
    expect(pathsOf([...all].reverse())).toEqual(pathsOf(all));
    expect([...pathsOf(all).values()]).toEqual([
      expect.stringMatching(/^jsonrpc\/1\.0-[0-9a-f]{8}$/),
      'rest/1.0',
      expect.stringMatching(/^jsonrpc\/1\.0-[0-9a-f]{8}$/),
    ]);
  });

  it('is good still when there are more, or fewer, of its kind', () => {
    const several = gatewayInterfaces({ supportedInterfaces: [one, two] });
    expect(interfaceAt(several, 'jsonrpc', '1.0')).toMatchObject({ url: one.url });
    const [, second] = several[1]!.path.split('/');
    const alone = gatewayInterfaces({ supportedInterfaces: [two] });
    expect(interfaceAt(alone, 'jsonrpc', second!)).toMatchObject({ url: two.url });
    expect(interfaceAt(gatewayInterfaces({ supportedInterfaces: [one] }), 'jsonrpc', second!)).toBeUndefined();
  });

  it.each(['', '2.0', '1.0-', '1.0-0a1b2c3', '../1.0', '1.0/x'])('is not %j', (segment) => {
    expect(interfaceAt(gatewayInterfaces({ supportedInterfaces: [one, two] }), 'jsonrpc', segment)).toBeUndefined();
  });
});
