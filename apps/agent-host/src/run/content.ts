// Between what handlers write and what A2A's codec knows. Both are A2A's JSON; the codec decides what is kept of it.
import type { Message } from '@a2a-js/sdk';
import { Artifact, Part, Role } from '@a2a-js/sdk';
import type { ArtifactContent, Carried, IncomingMessage, Json, Part as HandlerPart } from '#agent-handler';

/** What stands for content: a text, or parts. */
export type Said = string | HandlerPart | readonly HandlerPart[];

/** One part at least, as messages and artifacts must have (A2A §5.7): who says nothing says an empty text. */
export function toParts(said: Said): Part[] {
  const listed: readonly HandlerPart[] = typeof said === 'string' ? [{ text: said }] : isList(said) ? said : [said];
  return orEmpty(listed).map((part) => Part.fromJSON(part));
}

function orEmpty(parts: readonly HandlerPart[]): readonly HandlerPart[] {
  return parts.length === 0 ? [{ text: '' }] : parts;
}

function isList(said: HandlerPart | readonly HandlerPart[]): said is readonly HandlerPart[] {
  return Array.isArray(said);
}

export function toHandlerParts(parts: readonly Part[]): readonly HandlerPart[] {
  return parts.map((part) => Part.toJSON(part) as HandlerPart);
}

export function toIncoming(message: Message, data: Json | undefined): IncomingMessage {
  const texts = message.parts.flatMap(({ content }) => (content?.$case === 'text' ? [content.value] : []));
  return {
    messageId: message.messageId,
    parts: toHandlerParts(message.parts),
    text: texts.join('\n'),
    data,
    metadata: message.metadata ?? {},
    referenceTaskIds: message.referenceTaskIds,
  };
}

export function agentMessage(messageId: string, said: Said, { metadata, extensions = [] }: Carried = {}): Message {
  return {
    ...{ messageId, contextId: '', taskId: '', role: Role.ROLE_AGENT, parts: toParts(said) },
    ...{ metadata, extensions: [...extensions], referenceTaskIds: [] },
  };
}

export function toArtifact({ append: _, ...content }: ArtifactContent): Artifact {
  return Artifact.fromJSON({ ...content, parts: orEmpty(content.parts) });
}
