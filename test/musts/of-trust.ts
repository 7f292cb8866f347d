// §13, §14: bounds, clocks, who may report what, and for how long it is remembered.
import assert from 'node:assert/strict';
import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { encodeInbox, type UntimedInput } from '#event-log';
import { type ApiKeys, AuthGuard } from '#runtime';
import { readFacts } from '#protocol';
import { PartitionDecider } from '../../apps/timekeeper/src/partition-decider.ts';
import { inCore, type Must } from './must.ts';
import { requestOf } from './sent-lapse.ts';
import { at, declared, eventsOf, expectation, fact, lapsesOf, raised, recordOf, tick, told } from './story.ts';

export const ofTrust: readonly Must[] = [
  {
    paragraph: '13.1',
    must: 'submits a lapse task as itself, with its own credential for the agent',
    check: async () => {
      const [, , lapsed] = eventsOf(raised('09-01T01:00', [expectation('a')]), tick('09-11T00:00'));
      assert(lapsed?.type === 'expectationLapsed');
      const { headers } = await requestOf(lapsed, { type: 'bearer', token: 'own' });
      assert.equal(headers.authorization, 'Bearer own');
    },
    mutant: {
      name: 'agents are called without a credential',
      file: 'libs/protocol/src/agent-calls.ts',
      find: "if (auth.type === 'bearer') return send(url, withHeader(init, 'authorization', `Bearer ${auth.token}`));",
      replace: "if (auth.type === 'bearer') return send(url, init);",
    },
  },
  {
    paragraph: '13.2',
    must: 'bounds the open expectations on a subject, and refuses beyond the bound',
    check: () => {
      const many = Array.from({ length: 101 }, (_, nth) => expectation(`e${nth}`));
      const { refusals } = told(raised('09-01T01:00', many));
      assert.deepEqual(
        refusals.map(({ code }) => code),
        ['subject_bound'],
      );
    },
    mutant: inCore('judge.ts', 'if (onSubject >= state.settings.maxOpenPerSubject) {', 'if (onSubject < 0) {'),
  },
  {
    paragraph: '13.2',
    must: 'bounds the open expectations of an agent, and refuses beyond the bound',
    check: () => {
      const bounded = { type: 'configured', at: at('09-01T00:30'), settings: { maxOpenPerAgent: 1 } } as const;
      const { refusals } = told(bounded, raised('09-01T01:00', [expectation('a'), expectation('b')]));
      assert.deepEqual(
        refusals.map(({ code }) => code),
        ['agent_bound'],
      );
    },
    mutant: inCore('judge.ts', 'if (ofAgent < bound) return undefined;', 'if (ofAgent >= 0) return undefined;'),
  },
  {
    paragraph: '13.4',
    must: 'determines a lapse by its own clock, never by an instant that a source or an agent supplies',
    check: () => {
      const ahead = fact('09-02T00:00', 'other', { observedAt: '2027-01-01T00:00:00Z' });
      assert.deepEqual(lapsesOf(told(raised('09-01T01:00', [expectation('a')]), ahead)), []);
    },
    mutant: inCore(
      'decide.ts',
      '  const turn = turnAt(state, input.at);\n  fire(turn);',
      "  const turn = turnAt(state, input.type === 'factReported' ? String(input.fact.observedAt) : input.at);\n  fire(turn);",
    ),
  },
  {
    paragraph: '13.5',
    must: 'authorizes every reporter of facts',
    check: async () => {
      const guard = new AuthGuard({ resolve: () => Promise.resolve(undefined) } as unknown as ApiKeys, new Reflector());
      const request = { headers: { authorization: 'Bearer of-nobody' } };
      const context = {
        getHandler: () => () => undefined,
        getClass: () => Object,
        switchToHttp: () => ({ getRequest: () => request }),
      } as unknown as ExecutionContext;
      await assert.rejects(guard.canActivate(context), /a key that is known and not revoked/);
    },
    mutant: {
      name: 'whoever has no key is let in',
      file: 'libs/runtime/src/keys/auth.guard.ts',
      find: '    if (caller === undefined) {\n',
      replace: '    if (caller === undefined) return true;\n    if (anyOf.length > 99) {\n',
    },
  },
  {
    paragraph: '13.5',
    must: "scopes facts to the tenant of the expectations: another tenant's satisfies nothing",
    check: () => {
      const decider = new PartitionDecider();
      let offset = 0;
      const decide = (tenant: string, { at: _, ...input }: { readonly at: string } & UntimedInput): unknown[] =>
        Array.from(
          decider.decide({
            offset: offset++,
            appendedAt: Date.UTC(2026, 8, 2),
            tenant,
            value: encodeInbox(input),
          }),
        ).flatMap(({ events }) => events.map(({ type }) => type));
      decide('acme', declared);
      decide('acme', raised('09-01T01:00', [expectation('a')]));
      assert.deepEqual(decide('other', fact('09-02T00:00', 'a')), ['factRecorded']);
      assert.deepEqual(decide('acme', fact('09-02T00:00', 'a')), ['factRecorded', 'expectationSatisfied']);
    },
    mutant: {
      name: 'all tenants of a partition share a state',
      file: 'apps/timekeeper/src/partition-decider.ts',
      find: 'tellState(this.core, this.tenants.state(tenant), record, at)',
      replace: "tellState(this.core, this.tenants.state('acme'), record, at)",
    },
  },
  {
    paragraph: '13.5',
    must: 'records the source of a satisfaction',
    check: () => {
      const outcome = told(raised('09-01T01:00', [expectation('a')]), fact('09-02T00:00', 'a', { source: 'another' }));
      assert.equal(recordOf(outcome, 'a').source, 'feed');
    },
    mutant: inCore('report.ts', 'observedAt, source: reporter, how', "observedAt, source: '', how"),
  },
  {
    paragraph: '13.5',
    must: 'attributes a source to the reporting party: none may claim what its credential does not allow',
    check: () => {
      const claimed = { factKey: 'a', observedAt: at('09-02T00:00'), source: 'carrier:emirates' };
      const [read] = readFacts([claimed], { name: 'clerk', sources: ['carrier:other'] }).facts;
      assert.equal(read?.outcome, 'refused');
    },
    mutant: {
      name: 'any source is believed',
      file: 'libs/protocol/src/reporter.ts',
      find: 'if (source === principal.name || mayClaim(source, principal.sources)) return { reporter: source };',
      replace: 'return { reporter: source };',
    },
  },
  {
    paragraph: '14',
    must: 'defines for how long closed expectations are remembered',
    check: () => {
      const again = expectation('a', { dueAt: '2027-09-10T00:00:00Z' });
      const closed = [raised('09-01T01:00', [expectation('a')]), fact('09-02T00:00', 'a')];
      const reuse = (atText: string) => told(...closed, raised(atText, [again])).refusals.length;
      assert.deepEqual([reuse('11-30T00:00'), reuse('12-02T00:00')], [1, 0]);
    },
    mutant: inCore('settings.ts', "closedMemory: 'P90D',", "closedMemory: 'P900D',"),
  },
];
