// What keeps an agent's answer from acting in the watcher's own origin: the web page, and whoever's key is in it, is at the same
// host as every agent behind the gateway. It must never let what an agent writes run, be framed or be kept there.
import type { IncomingHttpHeaders } from 'node:http';
import type { Response } from 'express';
import { Problem } from '#runtime';

/** What an agent would say with these about the whole host, not about its answer. */
export const hostHeaders: readonly string[] = [
  ...['service-worker-allowed', 'clear-site-data', 'strict-transport-security', 'set-cookie', 'set-cookie2', 'alt-svc'],
  ...['refresh', 'nel', 'report-to', 'reporting-endpoints', 'public-key-pins', 'expect-ct', 'accept-ch', 'critical-ch'],
  ...['origin-trial', 'origin-agent-cluster', 'speculation-rules', 'use-as-dictionary', 'set-login', 'sourcemap'],
  ...['content-security-policy-report-only', 'activate-storage-access'],
];

/** To be called after the agent's own headers are set. */
export function sandbox(response: Response): void {
  response.setHeader('Content-Security-Policy', "sandbox; default-src 'none'");
  response.setHeader('X-Content-Type-Options', 'nosniff');
  const type = response.getHeader('content-type');
  if (!isData(type)) response.setHeader('Content-Disposition', 'attachment');
}

/** Throws `Problem` (`forbidden`) where a browser asks for a script that would serve the whole host to its pages. */
export function assertNoServiceWorker(headers: IncomingHttpHeaders): void {
  if (headers['service-worker'] === undefined) return;
  throw new Problem('forbidden', 'no service worker is loaded through the gateway');
}

/** JSON and server-sent events are shown as text, if at all. */
function isData(type: unknown): boolean {
  return (
    type === undefined ||
    (typeof type === 'string' && /^\s*(application\/([\w.-]+\+)?json|text\/event-stream)\s*(;|$)/i.test(type))
  );
}
