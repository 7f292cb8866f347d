// A connection of one instance, as TypeORM sees one of the driver `pg`: statements may fail, conflict, or be the last.
import { EventEmitter } from 'node:events';
import type { Instance } from '../instance.ts';
import { type Answer, begins, ends, type SharedDatabase } from './shared-database.ts';

export class SimulatedConnection extends EventEmitter {
  readonly name: string;
  isLost = false;
  private isClosed = false;
  private isAborted = false;
  private isInTransaction = false;

  constructor(
    private readonly database: SharedDatabase,
    private readonly owner: Instance,
  ) {
    super();
    this.name = owner.name;
    owner.dying.signal.addEventListener('abort', () => this.ownerDied());
  }

  query(text: string, parameters?: readonly unknown[]): Promise<Answer> {
    const { database, owner } = this;
    if (this.isLost) return Promise.reject(new Error('Client was closed and is not queryable'));
    return owner.call({
      port: 'database',
      what: `sql ${shortened(text)}`,
      mayOutlive: this.isInTransaction ? ends(text) : !begins(text),
      putOff: (again) => owner.isAlive && database.putOff(this, again),
      effect: () => this.run(text, parameters),
      fault: (isDone) => this.lose(isDone),
      shown: (answer) => (Array.isArray(answer) ? '' : String(answer.rowCount ?? '')),
    });
  }

  private async run(text: string, parameters?: readonly unknown[]): Promise<Answer> {
    const { chance, swarm } = this.owner.world;
    if (this.isInTransaction && !ends(text)) {
      if (this.isAborted) throw coded('25P02', 'current transaction is aborted');
      if (chance.happens(swarm.conflictRate)) {
        this.isAborted = true;
        throw coded('40P01', 'deadlock detected');
      }
    }
    if (this.isClosed) throw coded('57P01', 'the connection was closed');
    const ended = this.isAborted && ends(text) ? 'ROLLBACK' : text;
    const answer = await this.database.run(this, ended, parameters);
    if (begins(text)) this.isInTransaction = true;
    if (ends(text)) this.isInTransaction = this.isAborted = false;
    return answer;
  }

  /** The connection is gone in the middle of a statement, which was done or not; a transaction is gone with it. */
  private lose(isDone: boolean): Error {
    this.isLost = true;
    this.isInTransaction = false;
    void this.owner.world.after(0, `${this.name} loses its connection`, () => this.database.rollBack(this));
    const error = coded('ECONNRESET', isDone ? 'the connection was reset: it was done' : 'the connection was reset');
    // As the driver does: whoever holds the connection hears of it, too.
    if (this.listenerCount('error') > 0) this.emit('error', error);
    return error;
  }

  /** What its owner had begun ends with it, unless the end was on its way. */
  private ownerDied(): void {
    this.isLost = true;
    const { world } = this.owner;
    void world.after(world.chance.below(1_000), `${this.name}'s connection is closed`, () => {
      this.isClosed = true;
      return this.database.rollBack(this);
    });
  }
}

function coded(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

function shortened(text: string): string {
  const words = text.replace(/\s+/g, ' ').trim();
  return words.length > 90 ? `${words.slice(0, 87)}…` : words;
}
