// Nest's log on pino: one JSON object a line. It must never be given a credential or a body.
import type { LoggerService } from '@nestjs/common';
import pino, { type DestinationStream, type Logger } from 'pino';
import type { LogLevel } from './config.ts';

const startContexts = new Set<unknown>([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

/** Nest hands the context as the last parameter, and an error's stack before it. */
export class PinoLogger implements LoggerService {
  private readonly pino: Logger;

  constructor(level: LogLevel, destination?: DestinationStream) {
    const options = { level, base: null, messageKey: 'message', serializers: { err: toShown } };
    this.pino = destination === undefined ? pino(options) : pino(options, destination);
  }

  /** What Nest tells of its own start is of use to who debugs it only. */
  log(message: unknown, ...rest: unknown[]): void {
    this.write(startContexts.has(rest.at(-1)) ? 'debug' : 'info', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  private write(level: LogLevel, message: unknown, rest: readonly unknown[]): void {
    const context = rest.at(-1);
    const fields: Record<string, unknown> = typeof context === 'string' ? { context } : {};
    const details = typeof context === 'string' ? rest.slice(0, -1) : rest;
    const error = [message, ...details].find((part) => part instanceof Error);
    if (error !== undefined) fields['err'] = error;
    const stack = details.find((part) => typeof part === 'string');
    if (stack !== undefined) fields['stack'] = stack;
    if (typeof message === 'string') this.pino[level](fields, message);
    else if (message instanceof Error) this.pino[level](fields, message.message);
    else this.pino[level]({ ...fields, details: message }, 'see details');
  }
}

/** An assertion carries what it compared: whole records of a customer's. */
function toShown(error: Error): object {
  const { actual: _, expected: __, ...shown } = pino.stdSerializers.err(error);
  return shown;
}
