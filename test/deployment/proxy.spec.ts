// The proxy's routes, compared with the one table of routes and with the controllers that they lead to.
import { edgeOf, routes as table } from '../system/routes.ts';
import { readCaddyfile, upstreamOf } from './caddyfile.ts';
import { readCompose } from './compose-file.ts';
import { type ControllerRoute, controllerRoutes } from './controller-routes.ts';

const { routes, port } = readCaddyfile();
const edges = ['intake', 'facts', 'query'] as const;

/** A path that the pattern fits. */
const example = ({ path }: ControllerRoute): string => path.replace(/[:*]\w+/g, 'x');

it('leads where the table of routes leads', () => {
  const own = routes.filter(({ upstream }) => upstream !== undefined && upstream !== 'query:8420');
  const inTable = table.flatMap(({ path, method, edge }) => {
    const paths = path.endsWith('/') ? [`${path}*`] : method === undefined ? [path, `${path}/*`] : [path];
    return paths.map((each) => ({ path: each, ...(method !== undefined && { method }), upstream: `${edge}:8420` }));
  });
  // What has nothing below it need not be asked about.
  const isSaid = ({ path }: { readonly path: string }): boolean => path !== '/v1/observations/*';
  const byPath = (one: { readonly path: string }, other: { readonly path: string }): number =>
    one.path.localeCompare(other.path);
  expect([...own].sort(byPath)).toEqual(inTable.filter(isSaid).sort(byPath));
});

it.each(edges.flatMap((edge) => controllerRoutes[edge].map((route) => ({ edge, ...route }))))(
  '$method $path of $edge is answered by one who has it',
  (route) => {
    const upstream = upstreamOf(routes, route.method, example(route));
    expect(upstream).toBe(`${edgeOf(route.method, example(route))}:8420`);
    const has = edges.filter((edge) =>
      controllerRoutes[edge].some(({ method, path }) => method === route.method && path === route.path),
    );
    expect(has.map((edge) => `${edge}:8420`)).toContain(upstream);
  },
);

it('has seen the controllers', () => {
  expect(controllerRoutes.intake).toContainEqual({ method: 'POST', path: '/v1/observations' });
  expect(controllerRoutes.facts).toContainEqual({ method: 'POST', path: '/v1/facts' });
  expect(controllerRoutes.query).toContainEqual({ method: 'GET', path: '/v1/facts' });
  expect(controllerRoutes.query).toContainEqual({ method: 'GET', path: '/' });
});

it.each(['/health/live', '/health/ready', '/metrics', '/elsewhere', '/v2/facts'])('keeps %s inside', (path) => {
  expect(upstreamOf(routes, 'GET', path)).toBeUndefined();
});

it('has what is unknown under /v1 refused by one who says it as everything is said', () => {
  expect(upstreamOf(routes, 'DELETE', '/v1/facts')).toBe('query:8420');
  expect(upstreamOf(routes, 'GET', '/v1/unknown')).toBe('query:8420');
});

it('leads to services of docker-compose.yml, and listens on the port that is published', () => {
  const { services } = readCompose();
  const hosts = new Set(routes.flatMap(({ upstream }) => upstream?.split(':')[0] ?? []));
  expect([...hosts].sort()).toEqual(
    services
      .filter(({ name }) => hosts.has(name))
      .map(({ name }) => name)
      .sort(),
  );
  expect(services.find(({ name }) => name === 'proxy')?.ports).toEqual([`127.0.0.1:8420:${port}`]);
});
