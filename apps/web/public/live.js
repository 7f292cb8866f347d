// The tenant's ledger as it grows: server-sent events read by fetch, since EventSource cannot show a key.
import { errorOf } from './api.js';

const leastDelayMs = 500;
const mostDelayMs = 15_000;

/**
 * Follows `/v1/events` until `signal` aborts, and again after each loss from where it was. `told` gets each message's
 * data; `stateChanged` gets `live` or `lost`. Rejects only when the key is not taken.
 */
export async function follow(key, { told, stateChanged, signal }) {
  let lastId;
  let delayMs = leastDelayMs;
  while (!signal.aborted) {
    try {
      const headers = { authorization: `Bearer ${key}`, ...(lastId !== undefined && { 'last-event-id': lastId }) };
      const response = await fetch('/v1/events', { headers, signal, cache: 'no-store' });
      if (!response.ok) throw await errorOf(response);
      stateChanged('live');
      delayMs = leastDelayMs;
      for await (const { id, data } of messagesOf(response.body)) {
        if (id !== undefined) lastId = id;
        if (data !== undefined) told(JSON.parse(data));
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error.status === 401 || error.status === 403) throw error;
      if (error.status === 422) lastId = undefined;
    }
    stateChanged('lost');
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    delayMs = Math.min(delayMs * 2, mostDelayMs);
  }
}

/** The messages of an event stream; of a message without data only the id. */
async function* messagesOf(body) {
  let text = '';
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    const blocks = text.split('\n\n');
    text = blocks.pop();
    for (const block of blocks) yield messageOf(block);
  }
}

function messageOf(block) {
  const message = {};
  for (const line of block.split('\n')) {
    if (line.startsWith('id: ')) message.id = line.slice(4);
    if (line.startsWith('data: '))
      message.data = (message.data === undefined ? '' : `${message.data}\n`) + line.slice(6);
  }
  return message;
}
