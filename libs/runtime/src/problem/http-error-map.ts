// The only place that knows HTTP codes: what each kind of problem and each kind of answer is to a client.

/** The closed list of problem types (RFC 9457). */
export const problemErrorMap = {
  unauthenticated: { status: 401, title: 'A valid API key is needed' },
  forbidden: { status: 403, title: 'The API key does not allow this' },
  'not-found': { status: 404, title: 'There is no such thing' },
  'agent-unknown': { status: 404, title: 'No agent of this id is registered' },
  'already-settled': { status: 409, title: 'It was settled otherwise before' },
  'wait-over': { status: 410, title: 'Nobody waits for this any more' },
  'malformed-request': { status: 400, title: 'The request cannot be read' },
  'malformed-body': { status: 400, title: 'The body cannot be read' },
  'request-timeout': { status: 408, title: 'The request takes too long to arrive' },
  'head-too-large': { status: 431, title: 'The head of the request is too large' },
  'body-too-large': { status: 413, title: 'The body is too large' },
  'unsupported-media-type': { status: 415, title: 'The body is of a media type that is not taken here' },
  'invalid-field': { status: 422, title: 'A field is not as it must be' },
  'fact-refused': { status: 422, title: 'The fact was refused' },
  'observation-refused': { status: 422, title: 'The observation was refused' },
  'card-unreadable': { status: 422, title: 'The card cannot be read' },
  'declaration-unusable': { status: 422, title: 'The card holds no usable declaration' },
  'tenant-overloaded': { status: 429, title: 'The tenant sends too much at once' },
  'agent-unreachable': { status: 502, title: 'The agent cannot be reached' },
  'agent-answer-unusable': { status: 502, title: 'The agent’s answer cannot be passed on' },
  'answer-unrecorded': { status: 502, title: 'The agent has answered, and its answer was not recorded' },
  'agent-timeout': { status: 504, title: 'The agent does not answer' },
  unwatched: { status: 503, title: 'What the agent would do could not be watched' },
  overloaded: { status: 503, title: 'Too much is sent at once' },
  'log-unavailable': { status: 503, title: 'The log cannot be reached' },
  'storage-unavailable': { status: 503, title: 'The database cannot be reached' },
  'disk-full': { status: 503, title: 'The disk is full' },
  'read-model-behind': { status: 503, title: 'What was written there cannot be read yet' },
  internal: { status: 500, title: 'Something is wrong on our side' },
} as const;

export type ProblemType = keyof typeof problemErrorMap;

/** The codes of answers that are no problems. */
export const answerStatus = {
  taken: 200,
  created: 201,
  undecided: 202,
  removed: 204,
  someRefused: 207,
  ready: 200,
  notReady: 503,
} as const;

export type AnswerKind = keyof typeof answerStatus;

/** The problem type for a code that the framework itself gives. */
export function problemTypeOfStatus(status: number): ProblemType {
  if (status === 404 || status === 405) return 'not-found';
  if (status === 413) return 'body-too-large';
  if (status === 415) return 'unsupported-media-type';
  return status >= 400 && status < 500 ? 'malformed-request' : 'internal';
}
