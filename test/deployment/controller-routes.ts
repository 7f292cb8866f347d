// The routes of an app's controllers, read from what Nest knows of them.
import 'reflect-metadata';
import { type DynamicModule, RequestMethod, type Type } from '@nestjs/common';
import { EdgeModule } from '#runtime';
import { WritesModule } from '#writes';
import { FactsModule } from '../../apps/facts/src/facts.module.ts';
import { IntakeModule } from '../../apps/intake/src/intake.module.ts';
import { QueryModule } from '../../apps/query/src/query.module.ts';
import { WebModule } from '../../apps/web/src/web.module.ts';

export interface ControllerRoute {
  readonly method: string;
  /** A pattern, such as /v1/agents/:agentId. */
  readonly path: string;
}

type AnyModule = Type<unknown> | DynamicModule;

/** Of the apps that the world may ask, without health and metrics, which are not for it. */
export const controllerRoutes: Readonly<Record<'intake' | 'facts' | 'query', readonly ControllerRoute[]>> = {
  intake: routesOf([EdgeModule, IntakeModule]),
  facts: routesOf([EdgeModule, FactsModule]),
  query: routesOf([EdgeModule, QueryModule, WebModule, WritesModule]),
};

function routesOf(modules: readonly AnyModule[]): readonly ControllerRoute[] {
  const seen = new Set<AnyModule>();
  const visit = (module: AnyModule): readonly ControllerRoute[] => {
    if (seen.has(module)) return [];
    seen.add(module);
    const imports = listOf('imports', module) as readonly AnyModule[];
    const controllers = listOf('controllers', module) as readonly Type<object>[];
    return [...controllers.flatMap(ofController), ...imports.flatMap(visit)];
  };
  return modules.flatMap(visit);
}

function listOf(what: 'imports' | 'controllers', module: AnyModule): unknown {
  return Reflect.getMetadata(what, module) ?? [];
}

function ofController(controller: Type<object>): readonly ControllerRoute[] {
  const prefix = Reflect.getMetadata('path', controller) as string;
  const handlers = Object.getOwnPropertyNames(controller.prototype).map(
    (name) => Object.getOwnPropertyDescriptor(controller.prototype, name)?.value as object | undefined,
  );
  return handlers.flatMap((handler) => {
    if (handler === undefined || !Reflect.hasMetadata('method', handler)) return [];
    const method = RequestMethod[Reflect.getMetadata('method', handler) as number]!;
    return [Reflect.getMetadata('path', handler) as string | readonly string[]].flat().map((below) => {
      const path = `/${prefix}/${below}`.replace(/\/+/g, '/');
      return { method, path: path.length > 1 ? path.replace(/\/$/, '') : path };
    });
  });
}
