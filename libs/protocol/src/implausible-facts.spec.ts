import { METADATA_KEY } from './extension.ts';
import { plausibleAround } from './fact.ts';
import { type ObservationRead, readObservation } from './observation.ts';

const caller = { name: 'ops', sources: [] };
const plausible = plausibleAround(Date.parse('2026-09-10T12:00:00Z'));
const fact = (factKey: string, observedAt = '2026-09-10T11:00:00Z') => ({ factKey, observedAt, source: 'tower' });
const late = (factKey: string) => fact(factKey, '2099-01-01T00:00:00Z');
const early = (factKey: string) => fact(factKey, '1970-01-21T16:58:14Z');
const carrying = (facts: readonly unknown[]) => ({ metadata: { [METADATA_KEY]: { facts } } });

function read(item: object): Extract<ObservationRead, { ok: true }> {
  const result = readObservation({ agentId: 'booking', ...item }, caller, { plausible });
  if (!result.ok) throw new Error(JSON.stringify(result.refusals));
  return result;
}

const ahead = 'observedAt is more than 10 minutes ahead of its receipt';
const behind = 'observedAt is more than 90 days behind its receipt';
const artifactUpdate = (facts: readonly unknown[]) => ({
  artifactUpdate: { taskId: 't', contextId: 'c', artifact: { artifactId: 'a', ...carrying(facts) } },
});

describe("an agent's fact at an implausible instant", () => {
  it('is kept out of the log, and its neighbours are not', () => {
    const { inputs, keptOut } = read(artifactUpdate([fact('a'), late('b'), fact('c'), early('d')]));
    expect(inputs).toMatchObject([{ artifact: carrying([fact('a'), fact('c')]) }]);
    expect(keptOut).toMatchObject([
      { reporter: 'agent:booking', fact: late('b'), message: ahead, index: 1, input: 0 },
      { reporter: 'agent:booking', fact: early('d'), message: behind, index: 3, input: 0 },
    ]);
    expect(keptOut[0]?.path).toBe(`$.artifactUpdate.artifact.metadata["${METADATA_KEY}"].facts[1].observedAt`);
  });

  it('leaves what is said of its neighbours where they stand now', () => {
    const { inputs, notes } = read(artifactUpdate([late('b'), fact('c\0')]));
    expect(inputs).toMatchObject([{ artifact: carrying([null]) }]);
    expect(notes).toMatchObject([{ part: 'facts', index: 0, input: 0 }]);
  });

  it('is found in a status message, and in a message with or without a task', () => {
    const message = { messageId: 'm', role: 'ROLE_AGENT', ...carrying([late('b')]) };
    const found = [
      { statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'working', message } } },
      { message },
      { message: { ...message, taskId: 't', contextId: 'c' } },
    ].map((item) => read(item).keptOut.map(({ fact: kept, input }) => [kept, input]));
    expect(found).toEqual([[[late('b'), 0]], [[late('b'), undefined]], [[late('b'), 0]]]);
  });

  it("is not the agent's in the message of a client, which is answered fact by fact", () => {
    const message = { messageId: 'm', role: 'ROLE_USER', ...carrying([{ ...late('b'), source: 'ops' }]) };
    const { inputs, facts, keptOut } = read({ message });
    expect([inputs, keptOut]).toEqual([[], []]);
    expect(facts).toMatchObject([{ outcome: 'quarantined', reporter: 'ops', message: ahead }]);
  });
});
