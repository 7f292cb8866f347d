// Ports that nobody listens on now, from below those that systems give to outgoing connections: a client that knocks at
// a killed broker for long would otherwise one day be given the broker's own port, and connect to itself.
import { once } from 'node:events';
import { createServer } from 'node:net';

const lowest = 20_000;
const highest = 32_000;

/** So many different free ports of 127.0.0.1; whoever asked first may still lose one. */
export async function findFreePorts(count: number): Promise<readonly number[]> {
  const found = new Set<number>();
  while (found.size < count) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest));
    if (await isFree(port)) found.add(port);
  }
  return [...found];
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
