// Tells the log what an agent sends of a task that it was asked to send of. It must never believe it of any other task.
import { Inject, Injectable } from '@nestjs/common';
import { readStreamPart, taskIdOf } from '#protocol';
import { CLOCK, type Clock, Problem } from '#runtime';
import { Told } from '../follower/told.ts';
import { Sightings } from '../sightings.ts';
import type { PushedTask } from './push-subscriptions.ts';
import { unknownToken } from './push-token.guard.ts';

/** Of so many tasks it is remembered what they were told to be: an agent may send each word it writes. */
const rememberedCount = 10_000;

@Injectable()
export class PushReceiver {
  private readonly told = new Map<string, Told>();

  constructor(
    private readonly sightings: Sightings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Resolves once it is in the log. Throws `Problem`, and `LogUnavailableError`. */
  async take(pushed: PushedTask, body: unknown): Promise<void> {
    const { tenant, agentId, taskId } = pushed;
    const part = readStreamPart(body);
    if (part === undefined) {
      const wanted = 'a StreamResponse (task, message, statusUpdate or artifactUpdate), or a Task of A2A 0.3';
      throw new Problem('observation-refused', `the body must be ${wanted}`);
    }
    if (taskIdOf(part) !== taskId) throw unknownToken();
    const told = this.toldOf(JSON.stringify([tenant, agentId, taskId]));
    const nowMs = this.clock.now();
    const news = told.newsIn(agentId, part, { nowMs, isInOrder: false });
    if (news === undefined) return;
    await this.sightings.tell(tenant, agentId, [part]);
    told.remember(news, nowMs);
  }

  /** Bounded: the task that was sent of longest ago goes first. */
  private toldOf(key: string): Told {
    const told = this.told.get(key) ?? new Told();
    this.told.delete(key);
    this.told.set(key, told);
    for (const oldest of this.told.keys()) {
      if (this.told.size <= rememberedCount) break;
      this.told.delete(oldest);
    }
    return told;
  }
}
