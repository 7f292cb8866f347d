// What an agent takes: text parts, or exactly one data part that its schema is content with. Anything else is refused with
// a sentence, before the handler is called.
import type { Message } from '@a2a-js/sdk';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { AgentHandler, Json } from '#agent-handler';

/** `type`: parts of a kind that the agent does not take; `value`: of the kind, and not as they must be. */
export interface InputRefusal {
  readonly refused: 'type' | 'value';
  readonly why: string;
}

export type ReadInput = { readonly data: Json | undefined } | InputRefusal;

export type InputReader = (message: Message) => ReadInput;

/** Findings of one message; a stranger's data may be wrong in many places. */
const mostFindings = 5;
/** Of a media type that is told back. */
const mostTypeLength = 100;

/** Throws where the schema is none. */
export function inputReader(input: AgentHandler['input']): InputReader {
  if (input === undefined || input === 'text') return readText;
  const ajv = new Ajv2020({ allErrors: false, strict: false });
  const validate = ajv.compile(input.schema);
  return ({ parts }) => {
    const [part] = parts;
    if (parts.length !== 1 || part?.content?.$case !== 'data' || !isJson(part.mediaType)) {
      return {
        refused: 'type',
        why: `the agent takes exactly one part, with data; the message has ${describe(parts)}`,
      };
    }
    const data = part.content.value as Json;
    if (validate(data)) return { data };
    const findings = (validate.errors ?? []).slice(0, mostFindings);
    const told = findings.map(({ instancePath, message }) => `${instancePath || 'it'} ${message ?? 'is not valid'}`);
    return { refused: 'value', why: `the data is not as the agent takes it: ${told.join('; ')}` };
  };
}

function readText({ parts }: Message): ReadInput {
  const isTaken = parts.every(({ content, mediaType }) => content?.$case === 'text' && isText(mediaType));
  if (isTaken && parts.length > 0) return { data: undefined };
  return { refused: 'type', why: `the agent takes text parts; the message has ${describe(parts)}` };
}

function describe(parts: Message['parts']): string {
  const kinds = parts.map(
    ({ content, mediaType }) =>
      `${content?.$case ?? 'nothing'}${mediaType === '' ? '' : ` (${mediaType.slice(0, mostTypeLength)})`}`,
  );
  return kinds.length === 0 ? 'no parts' : `parts of ${kinds.slice(0, 10).join(', ')}`;
}

/** A part need not say its media type. */
function isText(mediaType: string): boolean {
  return mediaType === '' || /^text\//i.test(mediaType);
}

function isJson(mediaType: string): boolean {
  return mediaType === '' || /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(mediaType);
}
