// Builds the request that submits a lapse task (Expectations §10.1). Pure: the same lapse gives the same request.
import type { ExpectationLapsed, LapseBlock } from '#expectations';
import { EXTENSION_URI } from './extension.ts';
import { type LapseContext, lapseText } from './lapse-text.ts';

/** A2A's SendMessage request in proto-JSON of 1.0. It names no task: a new one is created. */
export interface LapseRequest {
  readonly message: {
    readonly role: 'ROLE_USER';
    readonly messageId: string;
    readonly contextId: string;
    readonly referenceTaskIds: readonly string[];
    readonly parts: readonly [{ readonly text: string }];
    readonly extensions: readonly [typeof EXTENSION_URI];
    readonly metadata: { readonly [EXTENSION_URI]: { readonly lapse: LapseBlock } };
  };
  readonly configuration: { readonly returnImmediately: true };
}

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
