// Ends with 0 where the URL is answered with success within 4 s, with 1 otherwise: `node health.mjs URL`. For health
// checks of containers, whose image has no curl.
const [, , url = ''] = process.argv;
const isWell = await fetch(url, { signal: AbortSignal.timeout(4_000) }).then(
  ({ ok }) => ok,
  () => false,
);
process.exitCode = isWell ? 0 : 1;
