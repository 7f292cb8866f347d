// Where a Redis is, as `DUEWATCH_REDIS_URL` says it. Its password must never end up in a message.

export interface RedisAddress {
  readonly host: string;
  readonly port: number;
  /** `rediss:`. */
  readonly isTls: boolean;
  readonly username?: string;
  readonly password?: string;
  /** The number of the database in it. */
  readonly database: number;
}

const form = /^rediss?:$/;

/** `redis://[USER[:PASSWORD]@]HOST[:PORT][/DATABASE]`, or `rediss:` for TLS; undefined for anything else. */
export function parseRedisUrl(text: string): RedisAddress | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, port, pathname, search, hash, username, password } = new URL(text);
  const database = /^\/?(\d{0,4})$/.exec(pathname)?.[1];
  const names = [username, password].map(decode);
  if (!form.test(protocol) || hostname === '' || database === undefined || search + hash !== '') return undefined;
  const [user, secret] = names;
  if (user === undefined || secret === undefined) return undefined;
  return {
    ...{ host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port || 6379), isTls: protocol === 'rediss:' },
    ...(user !== '' && { username: user }),
    ...(secret !== '' && { password: secret }),
    database: Number(database),
  };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
