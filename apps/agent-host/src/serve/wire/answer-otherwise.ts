// Where the SDK has no error for what is answered: it writes its own, and the status is put in its place as it leaves.
import type { Response } from 'express';
import { type EdgeRefusal, edgeErrorOf, statusNames } from './edge-error-map.ts';
import { isMembers, type Members } from '../../card/members.ts';

/** What is answered next has this refusal's status, whatever it would have had; what has begun stays as it is. */
export function answerOtherwise(response: Response, refusal: EdgeRefusal): void {
  if (response.headersSent) return;
  const { httpStatus, isHttp = false, retryAfterSeconds } = edgeErrorOf(refusal);
  const json = response.json.bind(response);
  response.json = (body: Members) => {
    if ('jsonrpc' in body && !isHttp) return json(body);
    if (retryAfterSeconds !== undefined) response.set('Retry-After', String(retryAfterSeconds));
    response.status(httpStatus);
    return json(withStatus(body, httpStatus));
  };
}

/** HTTP+JSON of 1.0 says the status within, too. */
function withStatus(body: Members, httpStatus: number): Members {
  const { error } = body;
  if (!isMembers(error) || error['status'] === undefined) return body;
  return { ...body, error: { ...error, code: httpStatus, status: statusNames.get(httpStatus) ?? 'UNKNOWN' } };
}
