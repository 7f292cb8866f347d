// Serves the page at `/` and its files under `/web/`. It must never serve what is not in that one folder.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Controller, Get, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Problem, Public } from '#runtime';

const folder = fileURLToPath(new URL('../public', import.meta.url));
const files: ReadonlySet<string> = new Set(readdirSync(folder));

/** Nothing from elsewhere is loaded, nobody frames the page, and its address, which may hold a key, is told nobody. */
const headers = {
  'content-security-policy':
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-cache',
};

@Controller()
@Public()
export class WebController {
  @Get()
  async page(@Res() response: Response): Promise<void> {
    await send(response, 'index.html');
  }

  @Get('web/:file')
  async file(@Param('file') file: string, @Res() response: Response): Promise<void> {
    if (!files.has(file)) throw new Problem('not-found', 'the page has no such file');
    await send(response, file);
  }
}

async function send(response: Response, file: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const done = (error?: NodeJS.ErrnoException): void =>
      error === undefined || error.code === 'ECONNABORTED' ? resolve() : reject(error);
    response.set(headers).sendFile(file, { root: folder, cacheControl: false }, done);
  });
}
