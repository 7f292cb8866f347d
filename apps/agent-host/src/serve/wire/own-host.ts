// Where nobody is asked who they are, an agent that is reached through this machine's own address answers to the names that it
// has: a web page can let a name of its own lead here, and is then asked nothing by the browser (DNS rebinding).
import { isIP } from 'node:net';
import type { Request, RequestHandler, Response } from 'express';
import { type EdgeError, edgeErrorOf } from './edge-error-map.ts';

/** `names`: of the hosts that the card names. */
export function ownHost(
  names: ReadonlySet<string>,
  answer: (request: Request, response: Response, error: EdgeError) => void,
): RequestHandler {
  return (request, response, next) => {
    const name = hostOf(request);
    if (!isLoopback(request.socket.localAddress ?? '') || isOwn(name) || names.has(name)) {
      next();
      return;
    }
    const why = `the card names no interface at ${name === '' ? 'no host' : name}, and nobody is asked who they are`;
    answer(request, response, edgeErrorOf({ code: 'misdirected', why }));
  };
}

function hostOf({ headers: { host = '' } }: Request): string {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '';
}

/** No page is served by an address that it has not asked. */
function isOwn(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost') || isIP(name.replace(/^\[|\]$/g, '')) !== 0;
}

function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.') || address.startsWith('::ffff:127.');
}
