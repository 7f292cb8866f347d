// The port to what a lapse's text for people says beside the lapse itself. Optional: without it the text names ids only.

/** The injection token of an `ExpectationTexts`. */
export const EXPECTATION_TEXTS = Symbol('ExpectationTexts');

export interface ExpectationText {
  readonly expects: string;
  /** An ISO 8601 duration. */
  readonly grace?: string;
}

export interface ExpectationTexts {
  /** What is known of the agent's expectations of these ids; those unknown are absent. */
  find(
    tenant: string,
    agentId: string,
    expectationIds: readonly string[],
  ): Promise<ReadonlyMap<string, ExpectationText>>;
}
