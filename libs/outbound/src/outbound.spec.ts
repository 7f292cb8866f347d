import { createServer, type Server } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { AddressPolicy, loopbackRanges } from './address-policy.ts';
import { AddressRefusedError } from './address-refused-error.ts';
import { Outbound } from './outbound.ts';

/** A name server of the test's own: answers in turn, the last answer for ever. */
function answering(...answers: readonly (readonly string[])[]): LookupFunction {
  const left = [...answers];
  return (_, __, callback) => {
    const addresses = (left.length > 1 ? left.shift() : left[0]) ?? [];
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    callback(null, found);
  };
}

describe('a call to a stranger', () => {
  let server: Server;
  let port: number;
  let requestCount = 0;
  const opened: Outbound[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      requestCount += 1;
      if (request.url === '/elsewhere') response.writeHead(302, { location: `http://127.0.0.1:${port}/` }).end();
      else response.end('here');
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    port = (server.address() as AddressInfo).port;
  });

  afterAll(async () => {
    await Promise.all(opened.map((outbound) => outbound.close()));
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  beforeEach(() => {
    requestCount = 0;
  });

  function outbound(ranges: readonly string[], lookup?: LookupFunction): Outbound {
    const made = new Outbound({ policy: new AddressPolicy(ranges), ...(lookup && { lookup }) });
    opened.push(made);
    return made;
  }

  /** What the call ended in: a text, or the reason it was refused for. */
  async function call(from: Outbound, url: string): Promise<string> {
    try {
      return await (await from.as().fetch(url)).text();
    } catch (error) {
      const { cause } = error as Error;
      if (cause instanceof AddressRefusedError) return cause.message;
      throw error;
    }
  }

  it('reaches what the deployment lists', async () => {
    expect(await call(outbound(loopbackRanges), `http://127.0.0.1:${port}/`)).toBe('here');
    const named = outbound(loopbackRanges, answering(['127.0.0.1']));
    expect(await call(named, `http://agent.test:${port}/`)).toBe('here');
  });

  it.each([
    ['a literal', '127.0.0.1'],
    ['a number', '2130706433'],
    ['octal', '0177.0.0.1'],
    ['IPv6', '[::1]'],
    ['IPv4 in IPv6', '[::ffff:127.0.0.1]'],
    ['IPv4 in IPv6, in hexadecimal', '[::ffff:7f00:1]'],
    ['the unspecified one', '0.0.0.0'],
    ['the unspecified one of IPv6', '[::]'],
    ['a link-local one', '169.254.169.254'],
    ['a private one', '10.1.2.3'],
    ['a unique local one', '[fd00::1]'],
    ['one behind NAT64', '[64:ff9b::7f00:1]'],
    ['6to4', '[2002:7f00:1::]'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['one that stands for IPv4', '[::a00:1]'],
    ['one beside the loopback', '[::2]'],
    ['one of a range nobody was given', '[4000::1]'],
    ['what a cloud answers its machines at', '168.63.129.16'],
    ['the same in IPv6', '[::ffff:168.63.129.16]'],
  ])('connects to nothing that is not public, as %s', async (_, host) => {
    expect(await call(outbound([]), `http://${host}:${port}/`)).toMatch(/is no public address/);
    expect(requestCount).toBe(0);
  });

  it('connects to nothing where a name leads to such an address', async () => {
    const lookup = answering(['127.0.0.1', '::1']);
    expect(await call(outbound([], lookup), `http://agent.test:${port}/`)).toMatch(
      /agent\.test: 127\.0\.0\.1 is no pub/,
    );
    expect(requestCount).toBe(0);
  });

  it('connects to the addresses that were looked at, whatever the name answers a second time', async () => {
    const rebound = outbound(['127.0.0.9/32'], answering(['127.0.0.9'], ['127.0.0.1']));
    await expect(call(rebound, `http://agent.test:${port}/`)).rejects.toThrow('fetch failed');
    expect(await call(rebound, `http://agent.test:${port}/`)).toMatch(/127\.0\.0\.1 is no public address/);
    expect(requestCount).toBe(0);
  });

  it('takes of several addresses those that may be called', async () => {
    const lookup = answering(['10.0.0.1', '127.0.0.1']);
    expect(await call(outbound(loopbackRanges, lookup), `http://agent.test:${port}/`)).toBe('here');
  });

  it('follows no redirect, also where it is asked to', async () => {
    const { fetch } = outbound(loopbackRanges).as();
    const response = await fetch(`http://127.0.0.1:${port}/elsewhere`, { redirect: 'follow' });
    expect(response.status).toBe(302);
    expect(requestCount).toBe(1);
  });

  it('uses no connection of another identity', () => {
    const made = outbound(loopbackRanges);
    expect(made.as({ certificate: 'a', privateKey: 'b' })).toBe(made.as({ certificate: 'a', privateKey: 'b' }));
    expect(made.as({ certificate: 'a', privateKey: 'b' })).not.toBe(made.as());
  });
});

describe('a list of addresses', () => {
  it('refuses what is none', () => {
    expect(() => new AddressPolicy(['example.com'])).toThrow('example.com is neither an address nor a range');
  });

  it('holds for an IPv4 address however it is written', () => {
    const policy = new AddressPolicy(['10.0.0.0/8']);
    expect(policy.refusalOf('::ffff:10.1.2.3')).toBeUndefined();
    expect(policy.refusalOf('11.1.2.3')).toBeUndefined();
    expect(policy.refusalOf('192.168.0.1')).toMatch('private');
  });

  it('opens what is public by its number and refused all the same', () => {
    expect(new AddressPolicy(['168.63.129.16', '4000::/3']).refusalOf('168.63.129.16')).toBeUndefined();
    expect(new AddressPolicy(['168.63.129.16', '4000::/3']).refusalOf('4000::1')).toBeUndefined();
    for (const address of ['168.63.129.15', '2606:4700::1111', '2a00:1450::1', '93.184.216.34']) {
      expect(new AddressPolicy([]).refusalOf(address)).toBeUndefined();
    }
  });
});
