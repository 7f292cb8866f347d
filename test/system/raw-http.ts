// Bytes sent as they are, for what no HTTP client would send; and the answer to them.
import { connect } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** Resolves to the first answer; to the status 0 where the connection ends without one. */
export function sendRaw(url: string, parts: readonly (string | Uint8Array)[]): Promise<RawAnswer> {
  const { port, hostname } = new URL(url);
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => {
      for (const part of parts) socket.write(part);
    });
    const end = (): void => {
      socket.destroy();
      resolve(toAnswer(text));
    };
    socket.on('data', (chunk) => {
      text += chunk.toString('utf8');
      if (isWhole(text)) end();
    });
    socket.on('error', end);
    socket.on('close', end);
  });
}

/** Sends a byte a second, for as long as the connection lasts. */
export function sendSlowly(url: string, head: string, byte: string): Promise<RawAnswer> {
  const { port, hostname } = new URL(url);
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(head));
    const sending = setInterval(() => socket.write(byte), 1_000);
    socket.on('data', (chunk) => (text += chunk.toString('utf8')));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(sending);
      resolve(toAnswer(text));
    });
  });
}

function isWhole(text: string): boolean {
  const [head = '', body] = text.split('\r\n\r\n', 2);
  const length = /^content-length: *(\d+)/im.exec(head)?.[1];
  return body !== undefined && length !== undefined && Buffer.byteLength(body) >= Number(length);
}

function toAnswer(text: string): RawAnswer {
  const [head = '', body = ''] = text.split('\r\n\r\n', 2);
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0),
    type: /^content-type: *([^;\r]*)/im.exec(head)?.[1] ?? '',
    body,
  };
}
