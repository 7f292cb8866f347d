// What a caller asks for once: by the key that it sends, or, of a lapse, by the lapse's message id, which a watcher that
// submits it again sends again (Expectations §10.1). Nothing else is known by its message id.
import { createHash } from 'node:crypto';
import { Message } from '@a2a-js/sdk';
import { EXTENSION_URI, isObject, METADATA_KEY } from '#protocol';
import type { Once } from '../store/task-store.ts';

/** `extensions`: what the caller has activated. */
export function onceOf(message: Message, key: string | undefined, extensions: readonly string[]): Once | undefined {
  if (key !== undefined) return { key, requestHash: hashOf(JSON.stringify(Message.toJSON(message))) };
  if (!extensions.includes(EXTENSION_URI) || !isLapse(message)) return undefined;
  const hash = hashOf(message.messageId);
  // No caller's own key has a blank in it.
  return { key: `lapse ${hash}`, requestHash: hash };
}

function isLapse({ metadata }: Message): boolean {
  const block: unknown = metadata?.[METADATA_KEY];
  return isObject(block) && isObject(block['lapse']);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
