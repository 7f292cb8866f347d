// Which app answers what, where the apps stand apart: for whatever stands before them, in tests and in deployments.
/** The apps that the world may ask. */
export type Edge = 'intake' | 'facts' | 'query';

export interface Route {
  /** It and all below it; with a slash at its end only what is below it. */
  readonly path: string;
  /** Any, where it is not given. */
  readonly method?: string;
  readonly edge: Edge;
}

/** The first that fits counts. What no route fits is the query's: it serves the page, and knows what there is not. */
export const routes: readonly Route[] = [
  { path: '/v1/agents', edge: 'intake' },
  { path: '/v1/observations', edge: 'intake' },
  { path: '/v1/sinks', edge: 'intake' },
  { path: '/v1/holds/', edge: 'intake' },
  { path: '/v1/push/', edge: 'intake' },
  { path: '/a2a/', edge: 'intake' },
  { path: '/v1/facts', method: 'POST', edge: 'facts' },
  { path: '/v1/quarantine', edge: 'facts' },
];

/** Who answers a request; `target` is its path with whatever question follows. */
export function edgeOf(method: string, target: string): Edge {
  const path = target.replace(/\?.*$/s, '');
  const fits = (route: Route): boolean =>
    (route.method ?? method) === method &&
    (route.path.endsWith('/') ? path.startsWith(route.path) : path === route.path || path.startsWith(`${route.path}/`));
  return routes.find(fits)?.edge ?? 'query';
}
