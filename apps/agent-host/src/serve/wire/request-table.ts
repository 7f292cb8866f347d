// Where the shape of a request is found: by its method in JSON-RPC, by its path in HTTP+JSON. What is not there has nothing
// that is read, or is no operation.
import type { ProtocolVersion } from '../../card/interfaces.ts';
import type { Shape } from './json-shape.ts';
import * as requests03 from './requests-0-3.ts';
import * as requests10 from './requests-1-0.ts';

/** What is read of a request to a path, which ends as `path` says: before it may be a tenant, or `v1`. */
export interface RestShape {
  readonly method: string;
  readonly path: RegExp;
  readonly body?: Shape;
  readonly query?: Shape;
}

export const rpcShapes: Readonly<Record<ProtocolVersion, ReadonlyMap<string, Shape>>> = {
  '1.0': new Map(Object.entries(requests10.rpc)),
  '0.3': new Map(Object.entries(requests03.rpc)),
};

/** The first that fits. */
export const restShapes: Readonly<Record<ProtocolVersion, readonly RestShape[]>> = {
  '1.0': restOf(requests10.rest),
  '0.3': restOf(requests03.rest),
};

interface RestRequests {
  readonly send: Shape;
  readonly pushConfig: Shape;
  readonly noBody: Shape;
  readonly taskQuery: Shape;
  readonly tasksQuery?: Shape;
}

function restOf({ send, pushConfig, noBody, taskQuery, tasksQuery }: RestRequests): readonly RestShape[] {
  return [
    { method: 'POST', path: /\/message:(send|stream)\/?$/i, body: send },
    { method: 'POST', path: /\/tasks\/[^/]+:(cancel|subscribe)\/?$/i, body: noBody },
    { method: 'POST', path: /\/tasks\/[^/]+\/pushNotificationConfigs\/?$/i, body: pushConfig },
    ...(tasksQuery === undefined ? [] : [{ method: 'GET', path: /\/tasks\/?$/i, query: tasksQuery }]),
    { method: 'GET', path: /\/tasks\/[^/]+\/?$/i, query: taskQuery },
  ];
}
