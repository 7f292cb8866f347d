// Whose requests may be under way, and how many.
import { gatewayLimits } from './gateway-limits.ts';
import { GatewayShares } from './gateway-shares.ts';

describe('the gateway’s shares', () => {
  let shares: GatewayShares;

  beforeEach(() => {
    const counts = { agentCount: 2, tenantCount: 3, allCount: 4 };
    const bytes = { agentBytes: 200, tenantBytes: 300, allBytes: 400 };
    shares = new GatewayShares({ ...gatewayLimits, shares: { ...counts, ...bytes } });
  });

  const taken = (tenant: string, agentId: string, bytes = 0) => {
    const share = shares.of(tenant, agentId);
    share.take(bytes, 1);
    return share;
  };

  it('are bounded by agent, by tenant and overall, in requests', () => {
    const [first] = [taken('acme', 'a'), taken('acme', 'a')];
    expect(() => taken('acme', 'a')).toThrow('this agent has too much under way');
    taken('acme', 'b');
    expect(() => taken('acme', 'b')).toThrow('this tenant’s agents');
    taken('globex', 'a');
    expect(() => taken('globex', 'a')).toThrow('there is too much under way');
    first.free();
    taken('globex', 'a');
    expect(() => taken('acme', 'a')).toThrow('there is too much under way');
  });

  it('are bounded in bytes', () => {
    const first = taken('acme', 'a', 100);
    first.take(100);
    expect(() => first.take(1)).toThrow('this agent');
    taken('acme', 'b', 100);
    expect(() => taken('acme', 'b', 1)).toThrow('this tenant’s agents');
    taken('globex', 'a', 100);
    expect(() => taken('initech', 'a', 1)).toThrow('there is too much');
    first.free();
    taken('initech', 'a', 200);
  });

  it('are of answers too, by what is kept of them beyond a little', () => {
    const little = 16_384;
    const [first, second] = [taken('acme', 'a'), taken('acme', 'a')];
    first.hold(little + 200);
    second.hold(little);
    expect(() => second.hold(little + 1)).toThrow('this agent has too much under way');
    first.hold(little + 100);
    second.hold(little + 100);
    expect(() => second.hold(little + 101)).toThrow();
    first.hold(0);
    second.hold(little + 200);
    second.free();
    first.hold(little + 200);
  });

  it('give back what was taken, once, and nothing of what was refused', () => {
    const [first, second] = [taken('acme', 'a'), taken('acme', 'a')];
    const refused = shares.of('acme', 'a');
    expect(() => refused.take(0, 1)).toThrow();
    refused.free();
    expect(() => taken('acme', 'a')).toThrow();
    first.free();
    first.free();
    taken('acme', 'a');
    expect(() => taken('acme', 'a')).toThrow();
    second.free();
    taken('acme', 'a');
  });
});
