// What the SDK has no error for, as HTTP has it: too much at once, and when to try again.
import type { Response } from 'express';

const retryAfterSeconds = 1;

type Members = Readonly<Record<string, unknown>>;

/** The answer that is written next is 429, whatever it would have been; one that has begun stays as it is. */
export function answerOverloaded(response: Response): void {
  if (response.headersSent) return;
  response.set('Retry-After', String(retryAfterSeconds));
  const json = response.json.bind(response);
  response.json = (body: Members) => {
    response.status(429);
    return json(inPlace(body));
  };
}

/** HTTP+JSON of 1.0 repeats the status within. */
function inPlace(body: Members): Members {
  const error = body['error'] as Members | undefined;
  if (error?.['status'] === undefined) return body;
  return { ...body, error: { ...error, code: 429, status: 'RESOURCE_EXHAUSTED' } };
}
