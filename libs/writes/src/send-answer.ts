// Writes an answer's code and headers; the handler returns the body.
import type { Response } from 'express';
import { answerStatus } from '#runtime';
import type { WriteAnswer } from './answers/write-answer.ts';

/** Sets status and `Location`, and gives the body to return. */
export function sendAnswer(response: Response, answer: WriteAnswer): WriteAnswer['body'] {
  response.status(answerStatus[answer.kind]);
  if (answer.location !== undefined) response.setHeader('Location', answer.location);
  return answer.body;
}
