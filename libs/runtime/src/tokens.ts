// The injection tokens of the ports that every app shares.

/** `EventLog` of `#event-log`. */
export const EVENT_LOG = Symbol('EventLog');
/** `Clock`. */
export const CLOCK = Symbol('Clock');
/** `Config`. */
export const CONFIG = Symbol('Config');
/** `Random`. */
export const RANDOM = Symbol('Random');
/** `Feeds` of `#event-log`; absent where facts come over HTTP alone. */
export const FEEDS = Symbol('Feeds');
