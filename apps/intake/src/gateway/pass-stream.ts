// A stream of server-sent events: each passes as soon as it is whole, and the log has what of it concerns the watcher.
// Only its own bytes wait for that: what came before has passed.
import { fairTurns, parseJson, parseJsonInTurns, sliceBytes } from '#runtime';
import { unusableAnswer } from './agent-fault.ts';
import { readAnswer } from './answer.ts';
import { EventPieces, type EventPiece, EventTooLargeError } from './event-pieces.ts';
import { writeAtPace } from './pace.ts';
import { holdAnswer, type Passing, writeHead } from './pass-answer.ts';
import { abandon, chunksOf } from './upstream.ts';

/** Whether it came to its end, with at least one event. Throws `AgentFault`, and as `AnswerWatch.see` and `holdAnswer`. */
export async function passStream(passing: Passing, eventBytes: number): Promise<boolean> {
  const { upstream, response } = passing;
  const pieces = new EventPieces(eventBytes);
  let eventCount = 0;
  writeHead(response, upstream);
  response.flushHeaders();
  try {
    for await (const chunk of chunksOf(upstream)) {
      holdAnswer(passing, pieces.length + chunk.byteLength);
      eventCount += await pass(passing, pieces.push(chunk));
      holdAnswer(passing, pieces.length);
    }
    const rest = pieces.end();
    if (rest !== undefined) eventCount += await pass(passing, [rest]);
  } catch (error) {
    abandon(upstream);
    if (error instanceof EventTooLargeError) throw unusableAnswer(error.message);
    throw error;
  }
  if (!response.destroyed) response.end();
  return eventCount > 0;
}

/** How many of them are events. */
async function pass(passing: Passing, pieces: Iterable<EventPiece>): Promise<number> {
  const { response, pace } = passing;
  let ready: Uint8Array[] = [];
  let eventCount = 0;
  try {
    for (const { bytes, data } of pieces) {
      const told = data === undefined ? undefined : see(passing, data);
      if (data !== undefined) eventCount += 1;
      if (told !== undefined) {
        // It is waited for below; until then a client that reads slowly must not leave its failure with nobody.
        told.catch(() => undefined);
        const before = ready;
        ready = [];
        await writeAtPace(response, Buffer.concat(before), pace);
        await told;
      }
      ready.push(bytes);
    }
  } finally {
    // What is in front of a piece that must not pass passes.
    await writeAtPace(response, Buffer.concat(ready), pace);
  }
  return eventCount;
}

/** Undefined where the event may pass at once. A large one is read in turns with whatever else is to be done. */
function see(passing: Passing, data: Buffer): Promise<void> | undefined {
  if (data.length <= sliceBytes) return seeParsed(passing, parseJson(data));
  const { tenant } = passing.exchange.agent;
  return parseJsonInTurns(data, () => fairTurns.next(tenant)).then((parsed) => seeParsed(passing, parsed));
}

function seeParsed(
  { exchange, watch, upstream }: Passing,
  parsed: ReturnType<typeof parseJson>,
): Promise<void> | undefined {
  return 'value' in parsed ? watch.see(readAnswer(parsed.value, exchange, upstream.statusCode)) : undefined;
}
