// What a message says in words.
import type { Message } from '@a2a-js/sdk';

/** Its text parts, a line each; empty where it has none. */
export function textOf({ parts }: Pick<Message, 'parts'>): string {
  return parts.flatMap(({ content }) => (content?.$case === 'text' ? [content.value] : [])).join('\n');
}
