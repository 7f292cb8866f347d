// What is asked of the process over HTTP, by route. It must never use an address as it was sent for a label: everybody
// may send as many as they like.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Gauge, Histogram, Registry } from 'prom-client';

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

@Injectable()
export class HttpMetrics implements OnModuleInit {
  readonly registry = new Registry();
  private readonly durations = new Histogram({
    name: 'duewatch_http_request_duration_seconds',
    help: 'From a request to the end of its answer, by route; of a stream, for as long as it is read',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [this.registry],
  });
  private readonly inProgress = new Gauge({
    name: 'duewatch_http_requests_in_progress',
    help: 'Requests that are not answered to the end, streams included',
    registers: [this.registry],
  });

  constructor(private readonly adapterHost: HttpAdapterHost) {}

  /** Before the server listens. */
  onModuleInit(): void {
    const server = this.adapterHost.httpAdapter.getHttpServer() as Server;
    server.prependListener('request', (request, response) => this.measure(request, response));
  }

  private measure(request: IncomingMessage, response: ServerResponse): void {
    const end = this.durations.startTimer();
    this.inProgress.inc();
    response.once('close', () => {
      this.inProgress.dec();
      end({
        method: methods.has(request.method ?? '') ? (request.method ?? '') : 'other',
        route: routeOf(request),
        status: response.headersSent ? response.statusCode : 'aborted',
      });
    });
  }
}

/** The pattern that the router has put on the request; all that has none is one. */
function routeOf(request: IncomingMessage & { route?: { path?: unknown } }): string {
  const path = request.route?.path;
  return typeof path === 'string' ? path : 'none';
}
