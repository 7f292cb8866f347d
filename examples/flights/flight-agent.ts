// What the agent does: it books flights, raising what it expects of each, and answers for a lapse in a task of its own.
// It holds no clock for what it expects: it hears that time has passed from a watcher, or not at all (§12.1).
import { Task } from '@a2a-js/sdk';
import { AgentEvent, type AgentExecutor, type ExecutionEventBus, type RequestContext } from '@a2a-js/sdk/server';
import type { Clock } from '#runtime';
import { readBookingRequest } from './booking-request.ts';
import { expectationsUri, type Lapse, lapseIn } from './extension.ts';
import { type Booking, expectationsOf, instantText } from './flights.ts';
import type { LapseRecord } from './lapse-record.ts';

type Ended = 'TASK_STATE_COMPLETED' | 'TASK_STATE_REJECTED';

export class FlightAgent implements AgentExecutor {
  constructor(
    private readonly lapses: LapseRecord,
    private readonly clock: Clock,
  ) {}

  async execute(request: RequestContext, bus: ExecutionEventBus): Promise<void> {
    const lapse = lapseIn(request.userMessage.metadata);
    bus.publish(AgentEvent.task(lapse === undefined ? this.book(request) : this.answerFor(lapse, request)));
    bus.finished();
  }

  /** Every task ends at once; there is nothing to cancel. */
  async cancelTask(_taskId: string, bus: ExecutionEventBus): Promise<void> {
    bus.finished();
  }

  private book(request: RequestContext): Task {
    const asked = readBookingRequest(request.userMessage);
    if ('refusal' in asked) return this.ended(request, 'TASK_STATE_REJECTED', asked.refusal);
    // §7: nothing is expected aloud where nobody has said that they watch.
    const isWatched = request.context.activatedExtensions?.includes(expectationsUri) === true;
    const artifacts = asked.bookings.map((booking) => confirmationOf(booking, isWatched));
    return this.ended(
      request,
      'TASK_STATE_COMPLETED',
      artifacts.length === 1 ? 'Booked.' : `Booked ${artifacts.length} flights.`,
      artifacts,
    );
  }

  private answerFor(lapse: Lapse, request: RequestContext): Task {
    this.lapses.add(request.userMessage, lapse, request.taskId, instantText(this.clock.now()));
    return this.ended(request, 'TASK_STATE_COMPLETED', answerTo(lapse));
  }

  private ended(
    { taskId, contextId, userMessage }: RequestContext,
    state: Ended,
    text: string,
    artifacts: object[] = [],
  ): Task {
    const message = { messageId: `${taskId}-end`, taskId, contextId, role: 'ROLE_AGENT', parts: [{ text }] };
    const task = Task.fromJSON({
      id: taskId,
      contextId,
      status: { state, timestamp: instantText(this.clock.now()), message },
      artifacts,
    });
    return { ...task, history: [userMessage] };
  }
}

function confirmationOf(booking: Booking, isWatched: boolean): object {
  const { subject, origin, destination, scheduledDepartureAt } = booking;
  const confirmation = {
    artifactId: `booking-${subject}`,
    name: `Booking of ${subject}`,
    parts: [{ text: `Booked ${subject} from ${origin} to ${destination}, departing ${scheduledDepartureAt}` }],
  };
  return isWatched
    ? {
        ...confirmation,
        extensions: [expectationsUri],
        metadata: { [expectationsUri]: { expectations: expectationsOf(booking) } },
      }
    : confirmation;
}

/** What the agent makes of a lapse, in a person's words; a kind it does not know is as good as overdue (§15). */
function answerTo({ lapse, expects, dueAt }: Lapse): string {
  switch (lapse) {
    case 'skipped':
      return `"${expects}" was never reported, and what comes after it was. The flight is on its way; nothing more to do.`;
    case 'stalled':
      return `Nothing has been heard since "${expects}" was expected at ${dueAt}. The passengers are rebooked.`;
    default:
      return `"${expects}" was expected at ${dueAt} and has not been reported. The airline is asked for a new time.`;
  }
}
