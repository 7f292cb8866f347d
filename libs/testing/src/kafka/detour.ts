// A way to a broker that a test can close: it stops passing bytes, or loses a request or its answer. The broker tells
// whoever comes by it to go on by it. It must never change what it passes on.
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** Kafka's numbers of the requests that are lost here. */
export const requests = { produce: 0, initProducerId: 22, addPartitionsToTxn: 24, endTxn: 26 } as const;

interface Loss {
  readonly request: number;
  /** What does not arrive. */
  readonly lost: 'request' | 'answer';
  readonly done: () => void;
}

export class Detour {
  private readonly connections = new Set<Socket>();
  private isPaused = false;
  private isClosed = false;
  private loss: Loss | undefined;

  private constructor(
    private readonly server: Server,
    private readonly port: number,
  ) {}

  /** A detour to a port of 127.0.0.1, where nobody need listen yet. */
  static async open(port: number): Promise<Detour> {
    const server = createServer();
    const detour = new Detour(server, port);
    server.on('connection', (client) => detour.pass(client));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return detour;
  }

  /** `host:port` of this end. */
  get broker(): string {
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('it listens on a port');
    return `127.0.0.1:${address.port}`;
  }

  /** No bytes pass any more; connections stay, and new ones are taken and go nowhere. */
  pause(): void {
    this.isPaused = true;
    for (const socket of this.connections) socket.pause();
  }

  resume(): void {
    this.isPaused = false;
    for (const socket of this.connections) socket.resume();
  }

  /** Every connection is cut, and no new one taken, until `mend`. */
  cut(): void {
    this.isClosed = true;
    for (const socket of this.connections) socket.destroy();
  }

  mend(): void {
    this.isClosed = false;
  }

  /** Cuts the connection of the next such request before it has arrived, or before its answer has. Resolves then. */
  lose(request: number, lost: Loss['lost']): Promise<void> {
    return new Promise((done) => (this.loss = { request, lost, done }));
  }

  async close(): Promise<void> {
    this.cut();
    this.server.close();
    await once(this.server, 'close');
  }

  private pass(client: Socket): void {
    if (this.isClosed) return void client.destroy();
    const broker = connect(this.port, '127.0.0.1');
    for (const [one, other] of [
      [client, broker],
      [broker, client],
    ] as const) {
      this.connections.add(one);
      one.setNoDelay();
      one.on('error', () => undefined);
      one.on('close', () => {
        this.connections.delete(one);
        other.destroy();
      });
      if (this.isPaused) one.pause();
    }
    let answerIsLost: (() => void) | undefined;
    let unread = Buffer.alloc(0);
    client.on('data', (bytes) => {
      unread = Buffer.concat([unread, bytes]);
      for (let size = sizeOf(unread); size <= unread.length; size = sizeOf(unread)) {
        const request = unread.subarray(0, size);
        unread = unread.subarray(size);
        const loss = this.lossOf(request);
        if (loss?.lost === 'request') {
          client.destroy();
          return loss.done();
        }
        answerIsLost = loss?.done ?? answerIsLost;
        broker.write(request);
      }
    });
    broker.on('data', (bytes) => {
      if (answerIsLost === undefined) return void client.write(bytes);
      client.destroy();
      answerIsLost();
    });
  }

  private lossOf(request: Buffer): Loss | undefined {
    const { loss } = this;
    if (loss === undefined || request.readInt16BE(4) !== loss.request) return undefined;
    this.loss = undefined;
    return loss;
  }
}

/** Of the request that the bytes begin with: its length before it, and itself. */
function sizeOf(bytes: Buffer): number {
  return bytes.length < 6 ? Infinity : 4 + bytes.readInt32BE(0);
}
