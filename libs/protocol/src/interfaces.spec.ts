import { readInterfaces } from './interfaces.ts';

const url = 'https://agent.example/rpc';
const json = { protocolBinding: 'JSONRPC', protocolVersion: '1.0' };

describe('the interfaces of a card', () => {
  it.each([
    ['a URL without end', { url: `https://agent.example/${'x'.repeat(2_000)}` }],
    ['a URL with a NUL', { url: 'https://agent.example/\0' }],
    ['a tenant that is half a character', { url, tenant: '\ud800' }],
    ['a tenant with a NUL', { url, tenant: 'own\0' }],
    ['a tenant without end', { url, tenant: 'x'.repeat(2_000) }],
    ['a version without end', { url, protocolVersion: '1'.repeat(2_000) }],
  ])('leave out one that could not be called: %s', (_, entry) => {
    const good = { ...json, url, tenant: 'own' };
    expect(readInterfaces({ supportedInterfaces: [{ ...json, ...entry }, good] })).toEqual([good]);
  });

  it.each([
    ['a URL with half a character', { url: 'https://agent.example/\ud800' }],
    ['a URL without end', { url: `https://agent.example/${'x'.repeat(2_000)}` }],
  ])('leave out one of 0.3 that could not be called: %s', (_, entry) => {
    const card = { ...entry, additionalInterfaces: [{ ...entry, transport: 'JSONRPC' }] };
    expect(readInterfaces(card)).toEqual([]);
  });

  it('are the first 32 that can be called, of 1.0 and of 0.3', () => {
    const urls = Array.from({ length: 17_000 }, (_, index) => `https://agent.example/${index}`);
    const unusable = { protocolBinding: 'GRPC', url };
    const current = { supportedInterfaces: [unusable, ...urls.map((each) => ({ ...json, url: each }))] };
    expect(readInterfaces(current).map((each) => each.url)).toEqual(urls.slice(0, 32));
    const old = { url, additionalInterfaces: urls.map((each) => ({ url: each, transport: 'HTTP+JSON' })) };
    expect(readInterfaces(old).map((each) => each.url)).toEqual([url, ...urls.slice(0, 31)]);
  });
});
