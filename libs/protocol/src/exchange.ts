// One call to an agent as the wire saw it. The SDK's errors do not say what became of the bytes; this does.
import { AddressRefusedError, isNeverSent } from '#outbound';
import { AccessTokenError } from './access-tokens.ts';
import { type AgentCalls, type CalledAgent, isWithheld } from './agent-calls.ts';
import { answerBytes, AnswerScan, scannedStream } from './answer-scan.ts';
import { readBytes, TooLargeError } from './read-bytes.ts';
import { isObject } from './shape.ts';

/** Gives the SDK a `fetch` that adds the credential, follows no redirect, bounds the answer, and remembers. */
export class Exchange {
  /**
   * How far the last request got. `unsent`: it could not even be put on the wire, or must not; `unreached`: it certainly never
   * reached the agent; `sent`: the agent may have read it; `answered`: it answered with `status`.
   */
  stage: 'unsent' | 'unreached' | 'sent' | 'answered' = 'unsent';
  /** Of the last answer; 0 where none came. */
  status = 0;
  retryAfter: string | null = null;
  /** What the last request was sent without, and why; undefined where nothing was withheld. */
  withheld: string | undefined;
  private readonly calls: AgentCalls;
  private readonly agent: CalledAgent;
  private readonly isStreaming: boolean;

  /** `isStreaming`: an answer that is a stream of events is handed on as it comes, each event within the bounds. */
  constructor(calls: AgentCalls, agent: CalledAgent, isStreaming = false) {
    this.calls = calls;
    this.agent = agent;
    this.isStreaming = isStreaming;
  }

  readonly fetch: typeof fetch = async (input, init) => {
    this.stage = 'unsent';
    this.withheld = isWithheld(this.agent, input) ? withheldAt(input) : undefined;
    const response = await this.sent(input, init ?? {});
    const answered = (): void => {
      this.stage = 'answered';
      this.status = response.status;
      this.retryAfter = response.headers.get('retry-after');
    };
    if (this.isStreaming && /^text\/event-stream/i.test(response.headers.get('content-type') ?? '')) {
      answered();
      const { status, statusText, headers } = response;
      const body = response.body === null ? null : scannedStream(response.body);
      return new Response(body, { status, statusText, headers });
    }
    const bytes = await readBytes(response, answerBytes).catch((error: unknown) => {
      if (error instanceof TooLargeError) answered();
      throw error;
    });
    answered();
    new AnswerScan(false).take(bytes);
    const { status, statusText } = response;
    const isBodiless = status === 204 || status === 205 || status === 304;
    return new Response(isBodiless ? null : bytes, { status, statusText, headers: response.headers });
  };

  private async sent(input: Parameters<typeof fetch>[0], init: RequestInit): Promise<Response> {
    try {
      return await this.calls.fetch(this.agent, input, init, () => {
        this.stage = init.signal?.aborted === true ? 'unreached' : 'sent';
      });
    } catch (error) {
      // An error of another realm is no `Error` here, and need not be an object at all.
      const cause = isObject(error) ? error['cause'] : undefined;
      if (error instanceof AccessTokenError) this.stage = error.retryable ? 'unreached' : 'unsent';
      else if (cause instanceof AddressRefusedError) this.stage = 'unsent';
      else if (isNeverSent(cause)) this.stage = 'unreached';
      // A token is asked for first: whoever does not wait for it has sent nothing.
      else if (this.stage === 'unsent' && init.signal?.aborted === true) this.stage = 'unreached';
      throw error;
    }
  }
}

function withheldAt(input: Parameters<typeof fetch>[0]): string {
  const { origin } = new URL(input instanceof Request ? input.url : input);
  return `called without its credential, which is for another origin than ${origin} (auth.origins may list it)`;
}
