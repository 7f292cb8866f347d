// An A2A agent that misbehaves as it is told, for tests of whoever calls agents: here, and of anybody else's.
export * from './misbehaviour.ts';
export * from './kept-store.ts';
export * from './fake-agent.ts';
