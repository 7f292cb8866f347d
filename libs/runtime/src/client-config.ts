// Where a client of the API finds it, from the environment.

export interface ClientConfig {
  /** Without a path. */
  readonly apiUrl: string;
  readonly key?: string;
}

/** `DUEWATCH_URL` (else the local port) and `DUEWATCH_KEY` (else the bootstrap key). */
export function loadClientConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): ClientConfig {
  const port = environment['DUEWATCH_PORT'] ?? '8420';
  const key = environment['DUEWATCH_KEY'] ?? environment['DUEWATCH_BOOTSTRAP_KEY'];
  const apiUrl = (environment['DUEWATCH_URL'] ?? `http://127.0.0.1:${port}`).replace(/\/+$/, '');
  return { apiUrl, ...(key !== undefined && key !== '' ? { key } : {}) };
}
