// The booking desk of `first-expectation`, served by the agent host: no server, no card in code.
import type { AgentHandler } from '#agent-handler';
import { expectations } from '#agent-kit';

const desk = expectations({
  lapseSkill: 'handle_lapse',
  kinds: {
    manifest: { subjectType: 'shipment', describes: 'the manifest of a booked shipment', basis: 'declared' },
  },
});

const handler: AgentHandler = desk.handler(
  (task, turn) => {
    task.expect('manifest', { subject: turn.message.text, due: { in: 'PT3S' } });
    return `Booked ${turn.message.text}.`;
  },
  (lapse, task) => {
    if (!task.canExtend(lapse)) return `The booking of ${lapse.subject.id} is given up.`;
    task.extend(lapse, { due: { in: 'PT1H' } });
    return `The airline was asked for the manifest of ${lapse.subject.id}.`;
  },
);
export default handler;
