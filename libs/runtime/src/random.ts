// The only source of chance. Nothing that is decided may depend on it: jitter does.

/** Injected, so that a test knows what it draws. */
export interface Random {
  /** From 0 inclusive to 1 exclusive. */
  fraction(): number;
}

export const systemRandom: Random = { fraction: () => Math.random() };
