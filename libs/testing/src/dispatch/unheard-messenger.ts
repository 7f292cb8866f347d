// A way to agents that is cut behind the message.
import type { AgentMessenger, SendOutcome } from '#protocol';

/** Sends for real, and is never heard of again; finds as `messenger` does. */
export function unheard(messenger: AgentMessenger): AgentMessenger {
  return {
    timeoutMs: messenger.timeoutMs,
    send: async (target, request, signal) => {
      await messenger.send(target, request, signal);
      return new Promise<SendOutcome>(() => undefined);
    },
    find: (target, request, signal) => messenger.find(target, request, signal),
  };
}
