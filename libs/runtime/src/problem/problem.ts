// A problem to tell an HTTP client (RFC 9457). It must never carry what the client may not see.
import type { ProblemType } from './http-error-map.ts';

/** Thrown by edges; the filter writes it as `application/problem+json`. `members` become further members. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly type: ProblemType;
  readonly members: Readonly<Record<string, unknown>>;

  constructor(
    type: ProblemType,
    detail: string,
    members: Readonly<Record<string, unknown>> = {},
    options?: ErrorOptions,
  ) {
    super(detail, options);
    this.type = type;
    this.members = members;
  }
}
