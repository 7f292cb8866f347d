// Looks again and again for what is to be done, until told to stop.

export interface Looking {
  readonly signal: AbortSignal;
  /** Told what went wrong; it is looked again all the same. */
  readonly report: (fault: unknown) => void;
  /** Between two looks; ends early where the signal aborts. */
  readonly pause: (signal: AbortSignal) => Promise<void>;
}

/** Resolves once the signal has aborted, and the look that was under way has ended. Never rejects. */
export async function lookAgain(look: () => Promise<void>, { signal, report, pause }: Looking): Promise<void> {
  while (!signal.aborted) {
    await look().catch(report);
    await pause(signal);
  }
}
