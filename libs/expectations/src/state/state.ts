// All that one tenant's decisions depend on: a fold of its events. `evolve` alone changes it.
import { type Duration, parseDuration } from '../duration.ts';
import { type agentSettings, defaultSettings, type Settings } from '../settings.ts';
import { assert } from '../unreachable.ts';
import { Agent } from './agent.ts';
import { ClosedMemory } from './closed-memory.ts';
import { Columns } from './columns.ts';
import { Deadlines } from './deadlines.ts';
import type { Expectation } from './expectation.ts';
import { FactMemory } from './fact-memory.ts';
import { Queue } from './queue.ts';
import { RecentFacts } from './recent-facts.ts';
import { Subject } from './subject.ts';
import { Task } from './task.ts';

/** The fact whose report is being applied: what the satisfactions that follow it refer to. */
export interface CurrentFact {
  /** Where the early-fact window has it. */
  readonly recentAt: number;
  /** True where it is new: then its subjects have it already. */
  readonly isNew: boolean;
}

export class State {
  /** The instant of the latest input; never goes back. */
  now = -Infinity;
  settings: Settings = defaultSettings;
  closedMemory = duration(defaultSettings.closedMemory);
  factMemory = duration(defaultSettings.factMemory);
  earlyFactWindow = duration(defaultSettings.earlyFactWindow);
  retireAfter = duration(defaultSettings.retireAfter);

  readonly agents = new Map<string, Agent>();
  readonly agentList: Agent[] = [];
  /** What waits for a fact, by its key, in the order recorded. */
  readonly waiting = new Map<string, Expectation | Set<Expectation>>();
  readonly subjects = new Map<string, Map<string, Subject>>();
  readonly columns = new Columns();
  readonly deadlines = new Deadlines();
  readonly closed = new ClosedMemory();
  readonly unmatched = new FactMemory();
  readonly matched = new FactMemory();
  readonly recent = new RecentFacts();
  /** Tasks by when their latest status was applied. */
  taskStatuses = new Queue<{ readonly at: number; readonly task: Task }>();
  /** Names that were not recorded when what named them was satisfied. */
  readonly namings = new Queue<{ readonly at: number; readonly named: Expectation }>();
  /** Tasks whose memory is over and that nothing open needs any more: forgotten with the next input. */
  readonly overstayed = new Set<Task>();
  /** Agents that this input may have given more refusals than are remembered. */
  readonly refused = new Set<Agent>();
  recordedCount = 0;
  openCount = 0;
  factCount = 0;
  /** The instant up to which *Memory* was applied. */
  forgottenUpTo = -Infinity;
  currentFact: CurrentFact | undefined;

  /** The agent of an id, known from the first time it is named. */
  agent(agentId: string): Agent {
    const known = this.agents.get(agentId);
    if (known !== undefined) return known;
    const agent = new Agent(agentId, this.agentList.length);
    this.agents.set(agentId, agent);
    this.agentList.push(agent);
    return agent;
  }

  findSubject(type: string, id: string): Subject | undefined {
    return this.subjects.get(type)?.get(id);
  }

  /** The subject, made where nothing on it was open. */
  subject(type: string, id: string): Subject {
    let ofType = this.subjects.get(type);
    if (ofType === undefined) this.subjects.set(type, (ofType = new Map<string, Subject>()));
    let subject = ofType.get(id);
    if (subject === undefined) ofType.set(id, (subject = new Subject(type, id)));
    return subject;
  }

  dropSubject(subject: Subject): void {
    const ofType = this.subjects.get(subject.type);
    ofType?.delete(subject.id);
    if (ofType?.size === 0) this.subjects.delete(subject.type);
  }

  task(agent: Agent, taskId: string, contextId: string): Task {
    const known = agent.tasks.get(taskId);
    if (known !== undefined) return known;
    const task = new Task(agent, taskId, contextId);
    agent.tasks.set(taskId, task);
    return task;
  }

  /** What counts for an agent: its own setting, else the tenant's. */
  settingOf<K extends (typeof agentSettings)[number]>(agent: Agent, name: K): Settings[K] {
    return (agent.settings[name] as Settings[K] | undefined) ?? this.settings[name];
  }

  configure(settings: Partial<Settings>): void {
    this.settings = { ...this.settings, ...settings };
    this.closedMemory = duration(this.settings.closedMemory);
    this.factMemory = duration(this.settings.factMemory);
    this.earlyFactWindow = duration(this.settings.earlyFactWindow);
    this.retireAfter = duration(this.settings.retireAfter);
    this.forgottenUpTo = -Infinity;
    this.watchOverstayed();
  }

  /** What has outlived its memory while something needed it is within a longer one again. */
  private watchOverstayed(): void {
    const overstayed = this.agentList
      .flatMap(({ tasks }) => Array.from(tasks.values()).filter((task) => task.isOverstayed))
      .sort((left, right) => left.appliedAt - right.appliedAt);
    if (overstayed.length === 0) return;
    const { taskStatuses } = this;
    this.taskStatuses = new Queue();
    for (const task of overstayed) {
      task.isOverstayed = false;
      this.taskStatuses.push({ at: task.appliedAt, task });
    }
    // All of these were applied later: the queue is in that order.
    for (const status of taskStatuses) this.taskStatuses.push(status);
  }
}

function duration(text: string): Duration {
  const parsed = parseDuration(text);
  assert(parsed !== undefined, `the setting ${text} must be a duration: readSettings has checked it`);
  return parsed;
}
