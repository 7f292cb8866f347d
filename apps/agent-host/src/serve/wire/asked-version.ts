// Which version of A2A a request is of (A2A 3.6): what is asked for as Major.Minor, in the header or, instead of it, as a
// parameter. Everybody behind this, the SDK included, reads the header.
import type { NextFunction, Request, Response } from 'express';
import { type ProtocolVersion, protocolVersions } from '../../card/interfaces.ts';

const header = 'a2a-version';

/** Stands before all who ask for the version. Patch numbers are not considered. */
export function nameVersion(request: Request, _: Response, next: NextFunction): void {
  const asked = request.header(header) || parameterOf(request);
  if (asked !== '') request.headers[header] = /^\s*(\d+\.\d+)(?:\.\d+)?\s*$/.exec(asked)?.[1] ?? asked;
  next();
}

/** Undefined where it is none that the host knows. Clients of 0.3 name none. */
export function askedVersion(request: Request): ProtocolVersion | undefined {
  const asked = request.header(header) || '0.3';
  return protocolVersions.find((version) => version === asked);
}

function parameterOf({ query }: Request): string {
  const [, value] = Object.entries(query).find(([name]) => name.toLowerCase() === header) ?? [];
  return typeof value === 'string' ? value : '';
}
