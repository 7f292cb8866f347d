// A JSON document for everybody, with what caches need.
import { createHash } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';

export const maxAgeSeconds = 300;

/** Answers a GET or HEAD with the document, or 304 to who has it. */
export function jsonDocument(document: unknown): (request: Request, response: Response) => void {
  const body = JSON.stringify(document);
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  return (request, response) => {
    response.set({ 'Cache-Control': `public, max-age=${maxAgeSeconds}`, ETag: etag });
    const known = request.header('If-None-Match')?.split(/\s*,\s*/) ?? [];
    if (known.some((tag) => tag.replace(/^W\//, '') === etag)) response.status(304).end();
    else response.type('application/json').send(body);
  };
}

/** The same at the very path where it is mounted, and for no other method. */
export function documentRoute(document: unknown): RequestHandler {
  const answer = jsonDocument(document);
  return (request, response, next) => {
    if (request.path === '/' && isRead(request)) answer(request, response.set('Access-Control-Allow-Origin', '*'));
    else next();
  };
}

export function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}
