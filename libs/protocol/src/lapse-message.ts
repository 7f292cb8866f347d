// Builds the request that submits a lapse task (Expectations §10.1). Pure: the same lapse gives the same request.
import type { ExpectationLapsed, LapseBlock } from '#expectations';
import { EXTENSION_URI } from './extension.ts';
import { type LapseContext, lapseText } from './lapse-text.ts';
import type { MessageRequest } from './message-request.ts';

/** The request that submits a lapse task. */
export type LapseRequest = MessageRequest<
  readonly [typeof EXTENSION_URI],
  { readonly [EXTENSION_URI]: { readonly lapse: LapseBlock } }
>;

/** The request for a lapse. `context` is what is known beside it; it only makes the text for people better. */
export function lapseRequest(lapsed: ExpectationLapsed, context: LapseContext = {}): LapseRequest {
  return {
    message: {
      role: 'ROLE_USER',
      messageId: lapsed.messageId,
      contextId: lapsed.contextId,
      referenceTaskIds: [lapsed.taskId],
      parts: [{ text: lapseText(lapsed.lapse, context) }],
      extensions: [EXTENSION_URI],
      metadata: { [EXTENSION_URI]: { lapse: lapsed.lapse } },
    },
    configuration: { returnImmediately: true },
  };
}
