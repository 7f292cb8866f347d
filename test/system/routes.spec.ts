// Whatever stands before the apps sends each request to one that can answer it.
import 'reflect-metadata';
import { RequestMethod, type Type } from '@nestjs/common';
import { FactsModule } from '../../apps/facts/src/facts.module.ts';
import { IntakeModule } from '../../apps/intake/src/intake.module.ts';
import { QueryModule } from '../../apps/query/src/query.module.ts';
import { WebModule } from '../../apps/web/src/web.module.ts';
import { type Edge, edgeOf } from './routes.ts';

const edges: readonly (readonly [Edge, Type])[] = [
  ['intake', IntakeModule],
  ['facts', FactsModule],
  ['query', QueryModule],
  ['query', WebModule],
];

/** What the module's own controllers answer, as `METHOD /path`. */
function routesOf(module: Type): readonly string[] {
  const controllers = Reflect.getMetadata('controllers', module) as readonly Type[];
  return controllers.flatMap((controller) => {
    const base = String(Reflect.getMetadata('path', controller));
    const { prototype } = controller as { readonly prototype: Record<string, object> };
    return Object.getOwnPropertyNames(prototype).flatMap((name) => {
      if (name === 'constructor') return [];
      const handler = prototype[name]!;
      const path = Reflect.getMetadata('path', handler) as string | undefined;
      if (path === undefined) return [];
      const method = RequestMethod[Reflect.getMetadata('method', handler) as number] ?? '';
      return [`${method} /${base}/${path}`.replaceAll(/\/+/g, '/').replace(/(?<=.)\/$/, '')];
    });
  });
}

const all = edges.flatMap(([edge, module]) => routesOf(module).map((route) => [route, edge] as const));

it.each(all)('%s goes to %s', (route, edge) => {
  const [method = '', path = ''] = route.split(' ');
  expect(edgeOf(method, path)).toBe(edge);
  expect(edgeOf(method, `${path}?a=/v1/agents`)).toBe(edge);
});

it('what two of the apps answer is told apart by the method, or by what follows', () => {
  expect(all.map(([route]) => route)).toEqual(
    expect.arrayContaining(['GET /v1/facts', 'POST /v1/facts', 'GET /v1/holds', 'POST /v1/holds/:position/release']),
  );
  expect(['/v1/factsheet', '/v1/agentsmith'].map((path) => edgeOf('POST', path))).toEqual(['query', 'query']);
});
