// What has to be there before a message is sent on: a log that takes what comes of it, its note, and its client's facts.
// It must never let a message go that could not be watched.
import { Injectable } from '@nestjs/common';
import { gatewayReporter, METADATA_KEY, isObject, member, roleName } from '#protocol';
import { Problem } from '#runtime';
import { isWriteFault } from '#writes';
import { Sightings } from '../sightings.ts';
import { mayReportFacts } from './client-key.ts';
import { type Exchange, isSend } from './exchange.ts';
import { ForwardedSends } from './forwarded-sends.ts';
import { LogGate } from './log-gate.ts';
import { NoteRates } from './note-rates.ts';

@Injectable()
export class SendNotes {
  constructor(
    private readonly gate: LogGate,
    private readonly sends: ForwardedSends,
    private readonly rates: NoteRates,
    private readonly sightings: Sightings,
  ) {}

  /**
   * The number of the note, durable; undefined where the request brings no message. Throws `Problem` (`unwatched`) where
   * it cannot be watched, or (`tenant-overloaded`) there are too many: then nothing may be sent.
   */
  async begin(exchange: Exchange): Promise<string | undefined> {
    if (!isSend(exchange)) return undefined;
    const { agent, via, isActivated, operation, client } = exchange;
    const { messageId, contextId, taskId } = operation.message ?? {};
    this.rates.take(agent.tenant, agent.agentId);
    await this.gate.assertOpen(agent.tenant);
    const number = await watched(() =>
      this.sends.note({
        ...{ tenant: agent.tenant, agentId: agent.agentId, interfacePath: via.path, isActivated },
        ...(messageId !== undefined && { messageId }),
        ...(contextId !== undefined && { contextId }),
        ...(taskId !== undefined && { taskId, answerReporter: client?.name ?? gatewayReporter }),
      }),
    );
    try {
      await watched(() => this.tellFacts(exchange));
    } catch (error) {
      this.sends.end(number, 'unsent');
      throw error;
    }
    return number;
  }

  /** §9.2: a client's facts count where it is known who it is, and that it may report them. */
  private async tellFacts({ agent, client, operation }: Exchange): Promise<void> {
    const message = operation.message?.value;
    if (client === undefined || message === undefined || !mayReportFacts(client)) return;
    const metadata = member(message, 'metadata');
    // In a client's mouth a message of the agent's is nobody's word.
    if (
      !isObject(metadata) ||
      !Object.hasOwn(metadata, METADATA_KEY) ||
      roleName(member(message, 'role')) !== 'ROLE_USER'
    ) {
      return;
    }
    await this.gate.through(agent.tenant, () =>
      this.sightings.tell(agent.tenant, agent.agentId, [{ message }], { client }),
    );
  }
}

/** What could not be written says that the work cannot be watched. */
async function watched<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (cause) {
    if (!isWriteFault(cause)) throw cause;
    const detail = 'what came of it could not be written, and nothing was sent to the agent: send it again';
    throw new Problem('unwatched', detail, {}, { cause });
  }
}
