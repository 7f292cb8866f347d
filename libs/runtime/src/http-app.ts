// A Nest application as every HTTP process here is made: no body is read before its request is let in.
import type { DynamicModule, LoggerService, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import { assertHost, refuseAsProblems } from './http-refusals.ts';

/** Not yet listening. `rootModule` must import `EdgeModule` (or bring a guard of its own). */
export async function createHttpApp(
  rootModule: Type<unknown> | DynamicModule,
  logger: LoggerService,
): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(rootModule, new ExpressAdapter(), {
    bodyParser: false,
    logger,
    abortOnError: false,
  });
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  refuseAsProblems(app.getHttpServer());
  app.use(assertHost);
  return app;
}
