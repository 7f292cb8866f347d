// The event stream as a client reads it.
import { administratorKey } from './watcher.ts';

export class LedgerStream {
  private text = '';
  private readonly decoder = new TextDecoder();

  private constructor(
    private readonly reader: ReadableStreamDefaultReader<Uint8Array>,
    private readonly closing: AbortController,
  ) {}

  /** Resolves once it has begun: from the end, or after the event of that id. */
  static async open(url: string, lastEventId?: string): Promise<LedgerStream> {
    const closing = new AbortController();
    const response = await fetch(`${url}/v1/events`, {
      headers: {
        authorization: `Bearer ${administratorKey}`,
        ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
      },
      signal: closing.signal,
    });
    if (!response.ok || response.body === null) throw new Error(`${response.status} ${await response.text()}`);
    const stream = new LedgerStream(response.body.getReader(), closing);
    await stream.until((text) => text.includes(': connected'));
    return stream;
  }

  /** All that has come. */
  get said(): string {
    return this.text;
  }

  /** Resolves to the id of the first event that has this in it, once that has come. */
  async untilTold(what: string): Promise<string> {
    const find = (): string | undefined =>
      /^id: (\S+)$/m.exec(this.text.split('\n\n').find((message) => message.includes(what)) ?? '')?.[1];
    await this.until((text) => text.endsWith('\n\n') && find() !== undefined);
    return find() ?? '';
  }

  close(): void {
    this.closing.abort();
  }

  private async until(isEnough: (text: string) => boolean): Promise<void> {
    while (!isEnough(this.text)) {
      const { done, value } = await this.reader.read();
      if (done) throw new Error(`the stream has ended: ${this.text}`);
      this.text += this.decoder.decode(value, { stream: true });
    }
  }
}
