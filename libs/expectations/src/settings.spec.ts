// Settings are inputs: all of one is taken, or nothing of it; and what is taken counts from there on.
import { configured, expectationLapsed, expectationRecorded, folded, given, raising, t, tick } from '#testing';
import { decide } from './decide.ts';
import { agentSettings, defaultSettings, readSettings } from './settings.ts';

describe('settings', () => {
  it('are taken where each is well-formed', () => {
    expect(readSettings(defaultSettings, false)).toEqual({ settings: defaultSettings });
    expect(readSettings({}, false)).toEqual({ settings: {} });
    expect(readSettings({ maxOpenPerSubject: 0, closedMemory: 'PT0S' }, false)).toEqual({
      settings: { maxOpenPerSubject: 0, closedMemory: 'PT0S' },
    });
  });

  it('for one agent are some of them', () => {
    const some = {
      ...{ lineageBound: 9, maxOpenPerAgent: 5, refusalMemory: 3, dispatchSelfTimed: true },
      skippedSettleTime: 'PT0S',
    };
    expect(Object.keys(some)).toEqual([...agentSettings]);
    expect(readSettings(some, true)).toEqual({ settings: some });
    for (const [name, value] of Object.entries(defaultSettings)) {
      const isForAgents = (agentSettings as readonly string[]).includes(name);
      expect('settings' in readSettings({ [name]: value }, true)).toBe(isForAgents);
    }
  });

  it.each([
    [null, 'settings: must be an object'],
    [[], 'settings: must be an object'],
    ['PT1H', 'settings: must be an object'],
    [{ colour: 'red' }, 'settings.colour: is not a setting'],
    [
      { lineageBound: 1, maxOpenPerSubject: '1' },
      'settings.maxOpenPerSubject: must be a whole number from 0 to 10000000',
    ],
    [{ maxOpenPerAgent: -1 }, 'settings.maxOpenPerAgent: must be a whole number from 0 to 10000000'],
    [{ factMemoryMax: 1.5 }, 'settings.factMemoryMax: must be a whole number from 0 to 10000000'],
    [{ refusalMemory: 10_000_001 }, 'settings.refusalMemory: must be a whole number from 0 to 10000000'],
    [{ lineageBound: NaN }, 'settings.lineageBound: must be a whole number from 0 to 10000000'],
    [{ earlyFactWindow: '1h' }, 'settings.earlyFactWindow: must be an ISO 8601 duration'],
    [{ retireAfter: null }, 'settings.retireAfter: must be an ISO 8601 duration'],
    [{ skippedSettleTime: 10 }, 'settings.skippedSettleTime: must be an ISO 8601 duration'],
    [{ dispatchSelfTimed: 'yes' }, 'settings.dispatchSelfTimed: must be true or false'],
    [JSON.parse('{"__proto__":1}'), 'settings.__proto__: is not a setting'],
  ])('%j is refused: %s', (settings, message) => {
    expect(readSettings(settings, false)).toEqual({ message });
  });
});

describe('a changed setting', () => {
  it('is recorded as it was set', () => {
    const settings = { lineageBound: 9 };
    given()
      .when({ type: 'configured', at: t(1), settings })
      .then(configured({ at: t(1), settings }));
    given()
      .when({ type: 'configured', at: t(1), agentId: 'customs', settings })
      .then(configured({ at: t(1), agentId: 'customs', settings }));
  });

  it('that is faulty changes nothing and says why', () => {
    given()
      .when({ type: 'configured', at: t(1), settings: { lineageBound: 9, colour: 'red' } })
      .then({ type: 'inputIgnored', at: t(1), why: 'settings.colour: is not a setting' });
  });

  it('counts for what comes after it, for the agent first', () => {
    const bounds = [
      configured({ settings: { maxOpenPerAgent: 0 } }),
      configured({ agentId: 'customs', settings: { maxOpenPerAgent: 0 } }),
      configured({ agentId: 'booking', settings: { maxOpenPerAgent: 1 } }),
    ];
    const e1 = expectationRecorded();
    given(...bounds)
      .when(raising(e1))
      .then(e1);
    const e2 = expectationRecorded({ expectationId: 'e2' });
    expect(decide(folded([...bounds, e1]), raising(e2))).toMatchObject([{ code: 'agent_bound' }]);
  });

  it('leaves deadlines that are already set', () => {
    const overdue = expectationLapsed();
    const hour = configured({ at: t(70), settings: { retireAfter: 'PT1H' } });
    given(expectationRecorded(), overdue, hour)
      .when(tick(t(9_000)))
      .then();
  });
});
