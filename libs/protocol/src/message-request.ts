// What the watcher sends to an agent of itself, in proto-JSON of 1.0: a message in a context, of tasks that it refers to.

/** A2A's SendMessage request. It names no task: a new one is created. */
export interface MessageRequest<Extensions extends readonly string[], Metadata> {
  readonly message: {
    readonly role: 'ROLE_USER';
    readonly messageId: string;
    readonly contextId: string;
    readonly referenceTaskIds: readonly string[];
    readonly parts: readonly [{ readonly text: string }];
    readonly extensions: Extensions;
    readonly metadata: Metadata;
  };
  readonly configuration: { readonly returnImmediately: true };
}
