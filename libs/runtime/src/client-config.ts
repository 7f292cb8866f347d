// Where a client of the API finds it, from the environment.
import { ConfigError } from './config.ts';

export interface ClientConfig {
  /** Without a path. */
  readonly apiUrl: string;
  readonly key?: string;
}

/**
 * `DUEWATCH_URL` (else the local port) and `DUEWATCH_KEY` (else the bootstrap key), an empty one counting as absent.
 * Throws `ConfigError`.
 */
export function loadClientConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): ClientConfig {
  const read = (name: string): string | undefined => environment[name] || undefined;
  const apiUrl = read('DUEWATCH_URL') ?? `http://127.0.0.1:${read('DUEWATCH_PORT') ?? '8420'}`;
  const key = read('DUEWATCH_KEY') ?? read('DUEWATCH_BOOTSTRAP_KEY');
  const errors = [
    ...(isHttp(apiUrl) ? [] : [`the API must be at an http:// or https:// URL, not ${JSON.stringify(apiUrl)}`]),
    ...(key === undefined || /^[\x21-\x7e]+$/.test(key) ? [] : ['DUEWATCH_KEY must be visible ASCII characters']),
  ];
  if (errors.length > 0) throw new ConfigError(errors);
  return { apiUrl: apiUrl.replace(/\/+$/, ''), ...(key !== undefined && { key }) };
}

function isHttp(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}
