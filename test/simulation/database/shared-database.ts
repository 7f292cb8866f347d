// One schema's real PostgreSQL, reached by one real connection: transactions of the simulated instances come one after the
// other, so that nothing but the seed decides their order. In between, everything else goes on.
import { Client, type QueryResult } from 'pg';

export type Answer = QueryResult | QueryResult[];

/** Whoever is in the middle of a transaction. */
export interface Holder {
  readonly name: string;
}

export class SharedDatabase {
  private holder: Holder | undefined;
  private waiting: (() => void)[] = [];
  private tables: readonly string[] = [];

  private constructor(private readonly client: Client) {}

  static async open(url: string): Promise<SharedDatabase> {
    const client = new Client({ connectionString: url });
    await client.connect();
    return new SharedDatabase(client);
  }

  /** Makes it as good as new for another run. */
  async begin(tables: readonly string[]): Promise<void> {
    this.tables = tables;
    this.waiting = [];
    if (this.holder !== undefined) await this.client.query('ROLLBACK');
    this.holder = undefined;
    await this.client.query(`TRUNCATE ${tables.join()} RESTART IDENTITY`);
  }

  /** All rows are gone, and whatever was under way. */
  async lose(): Promise<void> {
    if (this.holder !== undefined) await this.client.query('ROLLBACK');
    this.letGo();
    await this.client.query(`TRUNCATE ${this.tables.join()} RESTART IDENTITY`);
  }

  async close(): Promise<void> {
    await this.client.end();
  }

  /** True where it has to wait for somebody's transaction; it is then called again. */
  putOff(who: Holder, again: () => void): boolean {
    if (this.holder === undefined || this.holder === who) return false;
    this.waiting.push(again);
    return true;
  }

  get isHeld(): boolean {
    return this.holder !== undefined;
  }

  /** Runs a statement that may run now. A statement that begins or ends a transaction takes, or gives up, the database. */
  async run(who: Holder, text: string, parameters?: readonly unknown[]): Promise<Answer> {
    if (begins(text)) this.holder = who;
    try {
      return await this.client.query(text, parameters as unknown[] | undefined);
    } finally {
      if (ends(text)) this.letGo();
    }
  }

  /** Looks from outside, while nobody is in the middle of anything. */
  async look(text: string): Promise<unknown[]> {
    return (await this.client.query(text)).rows as unknown[];
  }

  /** Ends what somebody left open. */
  async rollBack(who: Holder): Promise<void> {
    if (this.holder !== who) return;
    await this.client.query('ROLLBACK');
    this.letGo();
  }

  private letGo(): void {
    this.holder = undefined;
    const { waiting } = this;
    this.waiting = [];
    for (const again of waiting) again();
  }
}

export function begins(text: string): boolean {
  return /^(START TRANSACTION|BEGIN)/i.test(text);
}

export function ends(text: string): boolean {
  return /^(COMMIT|ROLLBACK)/i.test(text);
}
