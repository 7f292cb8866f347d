// How deep an agent's answer is and how many values it has, by one pass over its bytes before the SDK parses them: what is
// small as bytes can be millions of objects. It must never judge whether the answer is JSON: the SDK does.

/** Bytes of one answer, and of one event of a stream. */
export const answerBytes = 4_194_304;
/** Lists and objects within each other: what may be observed, and what an answer has around it. */
const answerDepth = 100;
/** Values of one answer, those within others included. */
const answerValuesCount = 250_000;

/** The answer is more than is read. */
export class AnswerTooMuchError extends Error {
  override readonly name = 'AnswerTooMuchError';
}

export class AnswerScan {
  private bytesCount = 0;
  private depth = 0;
  private valuesCount = 0;
  private isInText = false;
  private isEscaped = false;
  private previous = 0;
  private isLineBlank = true;

  /** `isStream`: it is of events, each of which is an answer of its own; a blank line ends it. */
  constructor(private readonly isStream: boolean) {}

  /** The next of its bytes. Throws `AnswerTooMuchError`. */
  take(bytes: Uint8Array): void {
    for (const byte of bytes) {
      this.bytesCount += 1;
      if (this.isStream && (byte === 0x0a || byte === 0x0d)) this.endLine(byte);
      else this.see(byte);
      this.previous = byte;
    }
    if (this.bytesCount > answerBytes) throw new AnswerTooMuchError(`an event is larger than ${answerBytes} bytes`);
  }

  private see(byte: number): void {
    this.isLineBlank = false;
    if (this.isEscaped) this.isEscaped = false;
    else if (this.isInText) {
      if (byte === 0x5c) this.isEscaped = true;
      else if (byte === 0x22) this.isInText = false;
    } else if (byte === 0x22) this.isInText = true;
    else if (byte === 0x2c) this.count();
    else if (byte === 0x5b || byte === 0x7b) {
      this.depth += 1;
      if (this.depth > answerDepth) throw new AnswerTooMuchError(`it is nested deeper than ${answerDepth} levels`);
      this.count();
    } else if (byte === 0x5d || byte === 0x7d) this.depth -= 1;
  }

  private count(): void {
    this.valuesCount += 1;
    if (this.valuesCount > answerValuesCount) {
      throw new AnswerTooMuchError(`there are more than ${answerValuesCount} values in it`);
    }
  }

  /** No text of JSON goes on in another line. */
  private endLine(byte: number): void {
    if (byte === 0x0a && this.previous === 0x0d) return;
    this.isInText = false;
    this.isEscaped = false;
    if (this.isLineBlank) {
      this.bytesCount = 0;
      this.depth = 0;
      this.valuesCount = 0;
    }
    this.isLineBlank = true;
  }
}

/** The stream's body, which fails where one of its events is too much. */
export function scannedStream(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const scan = new AnswerScan(true);
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        scan.take(chunk);
        controller.enqueue(chunk);
      },
    }),
  );
}
