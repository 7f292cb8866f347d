import { type EdgeApp, startEdgeApp } from '#testing';
import { WebModule } from './web.module.ts';

describe('the page’s files', () => {
  let edge: EdgeApp;

  beforeAll(async () => {
    edge = await startEdgeApp([WebModule]);
  });
  afterAll(() => edge.close());

  const get = (path: string) => fetch(edge.url + path);

  it('are there without a key, and load nothing from elsewhere', async () => {
    const page = await get('/');
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    const text = await page.text();
    const links = [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map((match) => match[1] ?? '');
    expect(links.length).toBeGreaterThan(4);
    for (const link of links) expect([link, (await get(link)).status]).toEqual([link, 200]);
  });

  it('are scripts where they say so', async () => {
    expect((await get('/web/main.js')).headers.get('content-type')).toContain('javascript');
    expect((await get('/web/favicon.svg')).headers.get('content-type')).toContain('svg');
  });

  it.each(['/web/none.js', '/web/..%2Fsrc%2Fweb.module.ts', '/web/%00', '/web/'])('are no others: %s', async (path) => {
    expect((await get(path)).status).toBe(404);
  });
});
