// deploy/proxy/Caddyfile as the routes that it has, in order. Throws on what it does not know: no line is passed over.
import { textOf } from './repository-file.ts';

export interface ProxyRoute {
  /** Any, where there is none. */
  readonly method?: string;
  /** A whole path, or with `*` at its end all that begins so. */
  readonly path: string;
  /** `host:port`; undefined where it answers 404 itself. */
  readonly upstream: string | undefined;
}

/** The routes of the site, and the port that it listens on. */
export function readCaddyfile(): { readonly port: number; readonly routes: readonly ProxyRoute[] } {
  const text = textOf('deploy/proxy/Caddyfile').replace(/^\s*#.*\n/gm, '');
  const upstream = /^\(to\) \{\n\treverse_proxy \{args\[0\]\}:(?<port>\d+) \{/m.exec(text)?.groups?.['port'];
  const site = /^:(?<port>\d+) \{\n(?<body>.*?)^\}/ms.exec(text)?.groups;
  if (upstream === undefined || site === undefined) throw new Error('it has no snippet "to", or no site');
  const matchers = new Map<string, Omit<ProxyRoute, 'upstream'>[]>();
  const routes: ProxyRoute[] = [];
  for (const block of (site['body'] ?? '').split('\n\n').flatMap((part) => part.split(/^(?=\thandle)/m))) {
    const matcher = /^\t@(\w+) path (.+)\n$/.exec(block) ?? [];
    const narrow = /^\t@(\w+) \{\n\t\tmethod (\w+)\n\t\tpath (.+)\n\t\}\n$/.exec(block) ?? [];
    const handle = /^\thandle @(\w+) \{\n\t\timport to (\w+)\n\t\}\n?$/.exec(block) ?? [];
    if (matcher[1] !== undefined) {
      matchers.set(
        matcher[1],
        matcher[2]!.split(' ').map((path) => ({ path })),
      );
    } else if (narrow[1] !== undefined) {
      matchers.set(
        narrow[1],
        narrow[3]!.split(' ').map((path) => ({ path, method: narrow[2]! })),
      );
    } else if (handle[1] !== undefined) {
      const matched = matchers.get(handle[1]);
      if (matched === undefined) throw new Error(`there is no @${handle[1]}`);
      routes.push(...matched.map((route) => ({ ...route, upstream: `${handle[2]!}:${upstream}` })));
    } else if (/^\thandle \{\n.*\n\t\trespond .* 404\n\t\}\n?$/s.test(block)) {
      routes.push({ path: '*', upstream: undefined });
    } else throw new Error(`not understood: ${block}`);
  }
  return { port: Number(site['port']), routes };
}

/** Who answers; undefined where nobody does. */
export function upstreamOf(routes: readonly ProxyRoute[], method: string, path: string): string | undefined {
  const fits = (route: ProxyRoute): boolean =>
    (route.method ?? method) === method &&
    (route.path.endsWith('*') ? path.startsWith(route.path.slice(0, -1)) : path === route.path);
  return routes.find(fits)?.upstream;
}
