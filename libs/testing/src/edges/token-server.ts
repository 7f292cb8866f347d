// Gives tokens by the client-credentials grant to tests, `token-1`, `token-2` …, and remembers who asked.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TokenServer {
  readonly url: string;
  /** Each request as it came: its `Authorization` and its form. */
  readonly requests: readonly { readonly authorization: string | undefined; readonly form: string }[];
  /** What is answered from here on instead of a token; undefined for tokens. */
  fault: { readonly status: number; readonly body: string; readonly headers?: Record<string, string> } | undefined;
  /** `expires_in`, in seconds. */
  lifetime: number;
  close(): Promise<void>;
}

export async function startTokenServer(): Promise<TokenServer> {
  const requests: { authorization: string | undefined; form: string }[] = [];
  const served: Pick<TokenServer, 'fault' | 'lifetime'> = { fault: undefined, lifetime: 3_600 };
  const server = createServer((request, response) => {
    let form = '';
    request.setEncoding('utf8').on('data', (text: string) => (form += text));
    request.on('end', () => {
      requests.push({ authorization: request.headers.authorization, form });
      const { fault, lifetime } = served;
      if (fault !== undefined) return void response.writeHead(fault.status, fault.headers).end(fault.body);
      const answer = { access_token: `token-${requests.length}`, token_type: 'Bearer', expires_in: lifetime };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answer));
    });
  }).unref();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(served, {
    url: `http://127.0.0.1:${port}/token`,
    requests,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}
